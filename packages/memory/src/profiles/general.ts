/** Everyday life with an assistant, no particular domain (section 3.1 says how a domain defines its substance). */
import {
  commitmentPrompt,
  coreSummaryFirstPrompt,
  coreSummaryUpdatePrompt,
  interactionSummaryPrompt,
  runningSummaryPrompt,
  updatesPrompt,
  type Profile,
  type ProfileArea,
  type SubstanceCategory,
} from "./profile.js";

/**
 * What people say to an assistant in passing, both verbatim and as a summary puts it. The examples of substance
 * deliberately use the same words (a time of day, a number, "asked", "told the assistant"), so that the content and not
 * the wording separates the two.
 */
export const smallTalk: readonly string[] = [
  "Good morning, how are you today?",
  "Can you hear me?",
  "Testing, testing, is this thing on?",
  "You're too loud, turn the volume down.",
  "Thanks, that's all for now.",
  "Goodnight, talk to you later.",
  "What's the weather going to be like?",
  "It's cloudy, with a high of eighteen degrees.",
  "What time is it?",
  "It's twenty past six in the evening.",
  "What day is it today?",
  "Set a timer for ten minutes.",
  "Wake me at seven tomorrow.",
  "Tell me a joke.",
  "Why did the chicken cross the road? To get to the other side.",
  "That was a terrible pun.",
  "How do you spell necessary?",
  "What's the Spanish word for cheese?",
  "What is the capital of Australia?",
  "How tall is the Eiffel Tower?",
  "Who won the game last night?",
  "Play some music.",
  "What's on television tonight?",
  "What's the best way to clean a greasy pan?",
  "The dog is chasing his own tail again.",
  "She asked about the weather and the assistant gave the forecast.",
  "He asked what time it was and the assistant told him.",
  "They tested whether the device could hear.",
  "The assistant told a joke and he laughed.",
  "She asked what the word means and the assistant explained it.",
  "She asked a trivia question out of curiosity.",
  "He joked about the neighbour's noisy parrot.",
  "It was just small talk and light banter.",
  "They exchanged greetings and said goodbye.",
];

/** What a good friend always has in mind. */
export const lifeAreas: readonly ProfileArea[] = [
  { title: "Allergies and alerts", of: ["alert"], weight: 1, isAlert: true },
  { title: "Who they are", of: ["self"], weight: 0.7 },
  { title: "How to talk to them", of: ["manner"], weight: 0.75 },
  { title: "Health", of: ["health", "medicine", "carers", "help", "abilities"], weight: 0.7 },
  { title: "People and pets", of: ["people"], weight: 0.6 },
  { title: "Home", of: ["home"], weight: 0.65 },
  { title: "Work", of: ["work"], weight: 0.6 },
  { title: "Food", of: ["food"], weight: 0.5 },
  { title: "Habits and preferences", of: ["habits"], weight: 0.4 },
  { title: "Plans and goals", of: ["plans"], weight: 0.45 },
  { title: "Worries", of: ["worries"], weight: 0.45 },
  { title: "Places and codes", of: ["codes"], weight: 0.5 },
];

const categories: readonly SubstanceCategory[] = [
  {
    name: "facts",
    lasting: true,
    description: "lasting facts: age, home, origin, belongings, skills, habits",
    examples: [
      "I'm forty-two and I live alone in a small flat.",
      "I grew up on a farm and speak four languages.",
      "My birthday is on the third of August.",
      "I get up at five every morning to go swimming.",
    ],
  },
  {
    name: "plans and events",
    description: "what happened or will happen: appointments, journeys, decisions, goals",
    examples: [
      "I'm flying to Boston next Friday for a conference.",
      "We're getting married in June.",
      "I moved into my new apartment last weekend.",
      "I have an appointment at the bank on Monday at nine.",
      "I want to run a marathon before I turn fifty.",
      "He decided to sell the house and told the assistant why.",
    ],
  },
  {
    name: "preferences and opinions",
    lasting: true,
    description: "likes, dislikes, beliefs, how to be talked to",
    examples: [
      "I prefer tea, because coffee keeps me awake.",
      "I can't stand horror films.",
      "Please keep your answers short and use my first name.",
      "She never eats meat and asked the assistant to remember it.",
    ],
  },
  {
    name: "relationships",
    lasting: true,
    description: "family, friends, partners, pets and what goes on with them",
    examples: [
      "My sister just had a baby boy.",
      "My best friend and I had a falling-out.",
      "My wife and I have been together for twenty years.",
      "My grandmother died last winter and I miss her.",
      "Our dog is old and has to go to the vet every week.",
      "They caught up and she told him how her parents are doing.",
    ],
  },
  {
    name: "feelings",
    description: "mood, worries, joys, fears",
    examples: [
      "I feel overwhelmed and can't switch off at night.",
      "I've been lonely since I came to this town.",
      "I'm so proud that I finally did it.",
      "He joked about it but admitted that he is worried.",
      "She was upset because her brother forgot her birthday.",
    ],
  },
  {
    name: "work and projects",
    description: "job, studies, projects, money, what was agreed or is due",
    examples: [
      "I work night shifts as a nurse.",
      "I got promoted to team leader.",
      "The client wants the report by the end of the month.",
      "We agreed to use a different database for the project.",
      "I failed the exam and have to take it again.",
      "I owe my landlord six hundred euros.",
      "He told the assistant that he is looking for a new job.",
      "She asked for help with a difficult talk with her boss.",
    ],
  },
  {
    name: "interests",
    lasting: true,
    description: "hobbies, sport, books, music, what the person makes or learns",
    examples: [
      "I play volleyball in a local club and we train twice a week.",
      "I'm reading a novel about polar explorers and I love it.",
      "Jazz is what I listen to when I cook.",
      "I'm restoring an old sailing boat in my spare time.",
      "We went hiking in the mountains and I took a hundred photos.",
      "He is learning to play the drums and talked about his band.",
    ],
  },
  {
    name: "health",
    description: "illness, treatment, diet, sleep, exercise, needs",
    examples: [
      "I'm allergic to peanuts.",
      "My back hurts again and I hardly slept.",
      "The doctor put me on a new tablet, two every morning.",
      "My blood pressure was too high again this morning.",
      "He managed to walk to the shop without help.",
      "She has to rest for two weeks after the operation.",
    ],
  },
];

const person = "the person it talks with";
const traits =
  "who they are, the people around them, work, what they like and cannot bear, beliefs, worries, goals and how they want to be treated";

export const general: Profile = {
  name: "general",
  categories,
  mundane: smallTalk,
  areas: lifeAreas,
  wording: {
    coreSummaryHeading: "What is known about this person",
    memoriesHeading: "From earlier conversations, oldest first; the user speaks where nobody is named",
    nothingRecalled: "No earlier conversation was found that matters here.",
  },
  prompts: {
    interactionSummary: interactionSummaryPrompt(person),
    runningSummary: runningSummaryPrompt(person),
    commitment: commitmentPrompt(person, categories),
    updates: updatesPrompt(person),
    coreSummaryFirst: coreSummaryFirstPrompt("a person", traits),
    coreSummaryUpdate: coreSummaryUpdatePrompt("a person", traits),
  },
};

/** The areas of a life that a profile's core memory is made of. */
export function areasOf({ areas }: Pick<Profile, "areas">): readonly ProfileArea[] {
  return areas ?? lifeAreas;
}
