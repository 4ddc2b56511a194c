/**
 * Small talk from CLINC150 (Larson et al. 2019, "An Evaluation Dataset for Intent Classification and Out-of-Scope
 * Prediction", CC BY 3.0), which is not part of this repository: requests to an assistant, each with its intent.
 */
import { JsonReader } from "./json-reader.js";

export interface SmallTalk {
  readonly id: string;
  readonly text: string;
  readonly intent: string;
}

/**
 * Intents whose requests say nothing about the person, by the reason. Left out are those that carry a plan, a possession, a
 * preference or a date of somebody's own, such as reminders, bookings, bills and the shopping list.
 */
const smallTalkIntents: Readonly<Record<string, readonly string[]>> = {
  "general knowledge": [
    "time",
    "date",
    "timezone",
    "measurement_conversion",
    "spelling",
    "fun_fact",
    "ingredients_list",
    "ingredient_substitution",
    "calories",
    "nutrition_info",
    "cook_time",
    "food_last",
    "distance",
    "traffic",
    "oil_change_how",
    "plug_type",
    "tire_change",
    "restaurant_suggestion",
    "travel_suggestion",
  ],
  "about the assistant": [
    "how_old_are_you",
    "do_you_have_pets",
    "what_are_your_hobbies",
    "what_can_i_ask_you",
    "what_is_your_name",
    "where_are_you_from",
    "who_do_you_work_for",
    "who_made_you",
  ],
  "for the moment": [
    "flip_coin",
    "roll_dice",
    "goodbye",
    "no",
    "maybe",
    "cancel",
    "next_song",
    "what_song",
    "change_speed",
    "whisper_mode",
  ],
};

/** The requests of a file such as CLINC150's train.json, `{ "train": [[text, intent], …] }`, that are small talk. */
export async function readSmallTalk(file: string): Promise<SmallTalk[]> {
  const intents = new Set(Object.values(smallTalkIntents).flat());
  const list = (await JsonReader.open(file)).field("train");
  const requests = list.items().flatMap((request, i): SmallTalk[] => {
    const [text, name] = request.items();
    if (text === undefined || name === undefined) throw request.wrong("a text and its intent");
    const intent = name.text();
    return intents.has(intent) ? [{ id: `train-${i}`, text: text.text(), intent }] : [];
  });
  if (requests.length === 0) throw list.error("has no request of a small-talk intent");
  return requests;
}
