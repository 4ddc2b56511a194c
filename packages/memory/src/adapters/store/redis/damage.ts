/** What is said about data that was lost or altered outside Mnemosyne; never with what was said by the person. */
import { StoreError } from "../../../errors.js";
import { type StoreDamage, describeDamage } from "../../../ports/store.js";

const cure = "`mnemosyne doctor` lists what is damaged and says how to save what is whole";
const settingCure = "Redis may have evicted it: set maxmemory-policy to noeviction";

/** A row whose value is not what was written. */
export class DamagedRowError extends StoreError {
  readonly damage: StoreDamage;

  constructor(person: string | null, id: string | null, part: string) {
    super("store_damaged", `${describeDamage({ person, id, part })}. ${cure}`);
    this.damage = { person, id, part };
  }
}

/** Something that should be there and is not. */
export class LostPartError extends StoreError {
  readonly damage: StoreDamage;

  constructor(person: string, id: string | null, part: string) {
    super("store_corrupt", `${describeDamage({ person, id, part })}. ${settingCure}. ${cure}`);
    this.damage = { person, id, part };
  }
}

/** The damage that an error is about; everything else goes on its way. */
export function toDamage(error: unknown): StoreDamage {
  if (error instanceof DamagedRowError || error instanceof LostPartError) return error.damage;
  throw error;
}

/** Of a key whose value has another type than ours. */
export function isWrongType(error: unknown): boolean {
  return error instanceof StoreError && /^(?:Reply)?Error: WRONGTYPE|^WRONGTYPE/u.test(String(error.cause));
}

/** Says whose keys they are if one of them has another type, or an id is damaged. */
export async function aboutPerson<Result>(person: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isWrongType(error)) throw new DamagedRowError(person, null, "a key has a value of another type");
    if (error instanceof DamagedRowError && error.damage.person === null) {
      throw new DamagedRowError(person, null, error.damage.part);
    }
    throw error;
  }
}
