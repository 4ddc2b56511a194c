/**
 * Care over months: the paper's own domain. The categories are its three kinds of substantial information (section
 * 3.1); routine and mundane conversation belongs to none of them.
 */
import { smallTalk } from "./general.js";
import {
  commitmentPrompt,
  coreSummaryFirstPrompt,
  coreSummaryUpdatePrompt,
  interactionSummaryPrompt,
  runningSummaryPrompt,
  updatesPrompt,
  type Profile,
  type SubstanceCategory,
} from "./profile.js";

const categories: readonly SubstanceCategory[] = [
  {
    name: "condition and care",
    description:
      "the patient's medical condition, treatment or care: diagnoses, medicines, appointments, results, advice",
    examples: [
      "My doctor has put me on a new tablet for my blood pressure.",
      "I take it at eight in the morning and at six in the evening.",
      "They raised the dose to forty milligrams because it wasn't working.",
      "The scan came back clear.",
      "My operation is on Tuesday the ninth of May.",
      "The clinic moved my appointment to Thursday at ten.",
      "Remind me when I see the specialist again.",
      "I was diagnosed with asthma three years ago.",
      "The therapist gave me new exercises to do at home.",
      "The doctor tested her hearing and her eyesight.",
      "She told the assistant that she is allergic to aspirin and latex.",
      "He asked about the side effects and the assistant explained them.",
      "The assistant advised him to ring the doctor if it gets worse.",
    ],
  },
  {
    name: "status and needs",
    description:
      "the patient's clinical status, behaviour or needs: symptoms, readings, sleep, mood, abilities, help needed",
    examples: [
      "The pain is seven out of ten today.",
      "I was awake half the night and only slept three hours.",
      "My reading was eight point two, the same as yesterday.",
      "I felt dizzy when I stood up and nearly fell.",
      "I walked for ten minutes without my stick.",
      "I can't wash or cook for myself any more.",
      "I've lost my appetite and two kilos.",
      "I've been feeling low and I cry for no reason.",
      "I took all my pills and I feel fine.",
      "My ankles are swollen and the skin is red.",
      "My temperature is thirty-eight degrees and I'm coughing.",
      "He reported no fever and easier breathing.",
      "She managed the stairs for the first time.",
      "He repeated the same figures as the day before.",
      "He joked about it but admitted that he is frightened.",
      "She needs somebody to help her in and out of the bath.",
    ],
  },
  {
    name: "personality",
    lasting: true,
    description: "details about the patient's personality: life, people, values, wishes, fears, attitude towards care",
    examples: [
      "I've been a carpenter all my life and I can't sit still.",
      "I want to be fit enough to dance at my son's wedding.",
      "My wife and I have been married for forty years.",
      "I hate being treated like a child.",
      "I lost my brother and I still think of him every day.",
      "I don't trust hospitals, they never listen.",
      "My faith matters more to me than anything.",
      "I quarrelled with my daughter about moving in with her.",
      "Music is what keeps me going.",
      "Please tell me the truth and don't soften it.",
      "I'm proud that I did it on my own.",
      "I never eat meat.",
      "He worries about being a burden to his family.",
      "She told the assistant that she wants to go back to work.",
      "His old friends from the club came to see him.",
      "She was upset because her brother forgot her birthday.",
      "He decided to sell the house and live near his children.",
    ],
  },
];

const traits =
  "condition and treatment as they stand, abilities and needs, personality, people around them, what they value, fear and hope for after recovery, and their attitude towards care";

export const healthcare: Profile = {
  name: "healthcare",
  categories,
  mundane: smallTalk,
  areas: [
    { title: "Allergies and alerts", of: ["alert"], weight: 1, isAlert: true },
    { title: "Conditions", of: ["health"], weight: 0.8 },
    { title: "Medicines", of: ["medicine"], weight: 0.85 },
    { title: "Carers and contacts", of: ["carers", "people"], weight: 0.65 },
    { title: "Living situation and help", of: ["home", "help"], weight: 0.65 },
    { title: "Abilities", of: ["abilities"], weight: 0.7 },
    { title: "Who they are", of: ["self", "work", "habits", "food"], weight: 0.45 },
    { title: "Wishes, plans and fears", of: ["worries", "plans"], weight: 0.55 },
    { title: "How to talk to them", of: ["manner"], weight: 0.7 },
    { title: "Places and codes", of: ["codes"], weight: 0.4 },
  ],
  wording: {
    coreSummaryHeading: "What is known about this patient",
    memoriesHeading: "From earlier conversations, oldest first; the patient speaks where nobody is named",
    nothingRecalled: "No earlier conversation was found that matters here.",
  },
  prompts: {
    interactionSummary: interactionSummaryPrompt("a patient"),
    runningSummary: runningSummaryPrompt("a patient"),
    commitment: commitmentPrompt("a patient", categories),
    updates: updatesPrompt("a patient"),
    coreSummaryFirst: coreSummaryFirstPrompt("a patient", traits),
    coreSummaryUpdate: coreSummaryUpdatePrompt("a patient", traits),
  },
};
