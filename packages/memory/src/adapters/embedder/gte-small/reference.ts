/** The vector of the reference sentence as gte-small computes it on onnxruntime, minus the centre. */
import { unpackVector } from "../packed-vector.js";

const numbers = [
  "B/jKAaoBq/Y4/fsJOP3xC9n1kQFz/HIECP6/BPn1FgFrAMH4MPyDEUQAtfjz/98EUgLjAT7/5/1YARvzkPotBu/9QvyO/4UDAvxn",
  "Bxj/rgTJAVX+Mf2O/BIClfnI+HsGEBUkAZ4GcAKoCNYDaQDR+8/8Bf/EBTcHAQTdCGn1cQX+/9n/BAnCAyoD5/lpBvIF7gmVCJIB",
  "cQP2AJv+bff3/TsHLfpZADIFjf0C+lgFkPmsA3H+5f0iBZD5TAVi9235DQKIC0cB7w0D/rAIgght/+MLSPeUCGr/UQfaAyYChP1+",
  "CPMIj/bgC3oDkwG5/Ij97fqK+Jf/yP0fAl/+1AEj/3D+SwPxCBj6KwNJAfz/e/tuAxj7zfIy+vQApfKaAc/6MwCDAUX9AQajCRb6",
  "DAlLCKz3KQVZBRsHCf+t/fj3DfzjDGX6zPKyBCoAqBT0AUwCyQaECiELFgB7+0wBMQaVCP8HLfcE/vH7Ev86BkgEYwNxBVH3PAY5",
  "AiMKIwYv/p0H4fX7+ukClv346ewAmf/t+roJ+wQW82IHbQfj+4oFcALtAsz3fQVTBacDvv5X+EICpfqbADr/9QeR/tb/XAYy9a/2",
  "3Qi5AqD8sgSX+twBsgYOB535TQ3lADn2pPP6BdYA1AIDANH9SgCXBWEF/Qg3/Y0AgAlPCCz5iPwiADT7uPlP+iX9Lf+Q/bP9BQT2",
  "A734agLWDML7awWfARAADgQhCl0CbwCXBM0BOQCqBif+wP27+6LzbfeK8RUAl/6I81T5h/T0/x0B9fwC+/IGEAJS8IMB3f6gCFkM",
  "oPpb+uoI5vgg/yX81AeQ/OL56vt0AAP/6v3rAewB9vdfAF78avNS5N35OwPN+U3+KPcB/6sCOAazANr83wCPB94DOQDj/3gD4vmM",
  "/tvyIfWt+ln58QEgBw4D3Pw0//r8yP/h/N75aP2i/rgDGxGj94MHJAaaAmUEf/r/89T/4vsL/twAFwCd/ln1CPqpAMkAvv0MAbr/",
  "swHf+Rz96exu/s71Q/ekBcb+",
].join("");

export function readGteSmallReference(): Float32Array {
  return unpackVector(numbers);
}
