/**
 * A custom domain: what counts as substance, what is small talk. A dozen examples are enough to
 * tell them apart; categories marked as lasting feed the core memory
 * where no reader tells what lasts.
 */
import { Mnemosyne, type Profile, profiles } from "mnemosyne-edge";

const general = profiles["general"]!;

const tutor: Profile = {
  ...general,
  name: "language tutor",
  categories: [
    {
      name: "level and goals",
      description: "what the learner can do, wants to reach, and by when",
      lasting: true,
      examples: [
        "I want to pass the B2 exam in June.",
        "I learned French at school for six years.",
        "She said that she is learning for her grandchildren in Lyon.",
      ],
    },
    {
      name: "mistakes and progress",
      description: "errors that come again, rules that were understood, exercises done",
      examples: [
        "I always mix up the past tenses.",
        "He confused the subjunctive with the indicative again.",
        "I got nine out of ten in the exercise on pronouns.",
      ],
    },
  ],
};

const mnemosyne = await Mnemosyne.open({ path: ":memory:", profile: tutor });
const learner = mnemosyne.person("learner");
await learner.commit({ id: "goal", summary: "The learner wants to pass the B2 exam in June to study in Lyon." });
await learner.commit({ id: "weather", summary: "They said hello and talked about the rain." });
await learner.settled();
for (const { id, outcome } of await learner.history()) process.stdout.write(`${id}: ${outcome}\n`);
await mnemosyne.close();
