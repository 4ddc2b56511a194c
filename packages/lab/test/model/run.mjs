// `npm run test:model`: installs and builds what is missing, then measures. Takes minutes, and 400 MB the first time.
import { build, installPackages } from "../../../../scripts/setup.mjs";

installPackages();
build();
await import("./measure.mjs");
