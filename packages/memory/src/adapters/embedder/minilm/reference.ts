/** The vector of the reference sentence as the portable embedder computes it; a test compares the two. */
import { unpackVector } from "../packed-vector.js";

const numbers = [
  "RvZaAuH/rveP/o77mgmUFOcAxgTG9v8AXwRtCyn1AgDg/FH3Efyi/7r/1gUTBkEGNwQzAjX/cvNE/iH9h/icAQf8PAXl+14GPgMl",
  "BCL6OQF//WL3DfWJAmv2vP3QAoD/thDkBpL9Xv0VAKgAnAX3BWr2tfUZA+YGOvyLA/wBEgk5/OMCPQud9vX69wBCDAMCQgPWA3IE",
  "xPrBCCn8fP8L+Jn54P29AkUJ8AQNA/L9xgidAtT7Rfk8CTj3Pv+6A+X3UgAJACT0VAdsAscVHwWIBXsEKuu2C4H8ZP0+AoIH8Pnq",
  "Dn8AaP42C6wFWgWL+BP71v4l/9ABDgG49wgHpQEAAFP3AgJgBD0Gm/+aApUCTwXiBPj3I/ZC+CMC+PsQ+vb+8ACpAZ71ogZHCSL9",
  "xfqzC//+mgAuAkMKygoO/D33mAHm/C32R/m0+HkAzQQj/WMGJAXYCLsGEvUf+tr6SACl+Z4ODPmpBNgFI/uQ+Q8CgAej/IL7DQr3",
  "BI0NcP/yBQ0DZfTB/h75Mvbb+sYA2fcD//EC1vvZ++kBBv9i/jgEV/pgB0byDwseDyEABvzfAHH8bvGoA7/4HwD+9efslv0AAAEA",
  "/gM0BSUBeAkM+vgD9RAsDUH7XQhlAND4vPXd/MYEbQBt/Q34J/5D+BALhgri+CME3gb6B0sASQCB/UkADQT7+qYH5veKAV0DmPex",
  "93j5/wasAfkCOA2C/uAFgwBRBAsBd/8+/ZX/RAK7BHoFvPQD+335awNW9wEDv/zH+XjyJvqJBL4BJgcY+V8Bjf888Pj3P/gZAP4G",
  "b/kRAToFCfKr9Mj2g/sbBHEAbgSmCY/6VQIP/pcDNf1pAIUE/AYAAAIGj/uS/Vn5X/zL9tb86QZlAf8DzQEkBR0FJf5MAYIAjf+x",
  "Avr8Ifh895T7Bwpa+YQF9QQR9tUDq/flAOQDEgRN/TIA+wGy/C4IyANyAXcBkgBo93f+swmN+4T9qAA3BI8CuvxkBBIEwgzL93D5",
  "/v9P/qT5tgC1CD/+z/6P/Ff+",
].join("");

export function readMiniLmReference(): Float32Array {
  return unpackVector(numbers);
}
