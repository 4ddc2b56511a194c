/**
 * What is taken off the vectors of gte-small: 0.81 of the mean over 124 everyday sentences. Written by
 * `scripts/build-gte-small-centre.mjs`, which says how; not to be edited.
 */
export const gteSmallCentre = [
  "1/yXAB4Ew/4MAVQCIAj5A2kApf3BAJv59QJHA10ASgCnAJMAgviQA24BGP8P/s37RwOAAwH90f1y+tzuU//8+rED5/yV/zH8kP2U",
  "BKb9EgS0A0YBc/9G+qn8lftv/Sz/fwbt/GYCT/0GAYMCoAHGAnYFygJgA0UDDAPMA47qoglyA9QBqfur/EcD+gSN/ZACdAKyBeIB",
  "t/2G/1v9cACYAc3/4PxZ/XD/hv1p/PABavtjA1gBvPwM/mr9IgF++X78CAL6AeX5HBe8+5kB7gO3/YgBJP3v/Qb9Hf4QAe4AbP59",
  "BSn8ggLNAnAEhwJr/UcAHv8IAi4DRf6WAZ/3tQWeC3YBAwJJBQ/8fP2E/tz/jgGuAcr/NAMC/Jv8k/MH/XX35v3mB/v8twOH/P4C",
  "mf5cA+r80P5fAhQCZAN3BuL8BgIQAIv7//yUA2UC8fj+/OIAZAF9/V0E/wJl/OcBBAn+AE/+7QDA/x8BFQSv/JX8nQS0Aq/7yv+T",
  "/NECNQQN/yADsvu//tz8bf0h/kz+agFj/awBN/5v/voD4QHlAsf/Vv5lBWEDfv3qAZgGkP03/BABpgBUAukBdQOpBKf5vfr66XcB",
  "rf9l/FsEJvw+AtD9UQNLBRsHNf6T/QEC9v3jBGwC/gHo/lX/Vv9ZAND8W/scBMr+kBYWBzUCvPtIBM8A2/7d8UkFKwM0BJr8ev1F",
  "/Jb7DAMF/9D5dPw7/ff9gwHZ+wcCzAK//D0DJQHcAID7i/fZAQH9TQPy/p791gKc+1ADcAJX/8H98AIl/En+cAb5/Tj8EwUCAT8D",
  "xP17/vX8HAMJ+pwCXwKMAUj/5AN+AAcDivy5/8EBUvxj+3cC2P5q4yADev+QAXv8fwItAvwENPpBAeIDQAIPA/3/iQCPA0oCA/17",
  "Awj8VgIZA7cTwv3VAugCwP5ZA2cCKv6mAr0AMQan+6UDJgHL+08EnwG7/uD7kADu/fL9FwvW/CP8MPtIATUB8fx1/z//2QFTAjAC",
  "PPyp/eb80PsHAZP6/f0qApMC",
].join("");
