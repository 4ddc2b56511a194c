/** The completion script for zsh. */
import { type TreeCommand, type Values, valueFlags, whereFlags } from "./command-tree.js";

export function writeZshScript(tree: readonly TreeCommand[]): string {
  const paths = tree.map(({ path }) => path).filter((path) => path !== "");
  const skipped = valueFlags(tree).filter((flag) => !whereFlags.includes(flag));
  return `#compdef mnemosyne
# Completion of mnemosyne in zsh. In ~/.zshrc, behind compinit: source <(mnemosyne completion zsh)
_mnemosyne() {
  local at="" word values="" previous="\${words[CURRENT-1]}" current="\${words[CURRENT]}"
  local -a where candidates everywhere
  everywhere=(${describeFlags(tree[0]!.options).join(" ")})
  integer i
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    case "$word" in
      ${whereFlags.join("|")})
        if ((i + 1 < CURRENT)); then where+=("$word" "\${words[i+1]}"); fi
        i=$((i + 1)) ;;
      ${skipped.join("|")}) i=$((i + 1)) ;;
      -*) ;;
      *)
        case "$at/$word" in
          ${paths.join("|")}) at="$at/$word" ;;
        esac ;;
    esac
  done
  case "$at $previous" in
${optionCases(tree).join("\n")}
    *)
      case "$at" in
${tree.map(commandCase).join("\n")}
      esac ;;
  esac
  case "$values" in
    persons|ids)
      candidates=(\${(f)"$("\${words[1]}" "\${where[@]}" completion --values "$values" 2>/dev/null)"})
      compadd -a candidates ;;
    words) compadd -S "" -a candidates ;;
    files) _files ;;
    *) _describe mnemosyne candidates ;;
  esac
}
if [[ "\${funcstack[1]}" == _mnemosyne ]]; then _mnemosyne "$@"; else compdef _mnemosyne mnemosyne; fi
`;
}

/** What completes the value behind an option, that of a single command first. */
function optionCases(tree: readonly TreeCommand[]): string[] {
  return tree.toReversed().flatMap(({ path, options }) => {
    const place = path === "" ? "*" : `"${path}"`;
    return options.flatMap(({ flags, values }) =>
      values === null ? [] : [`    ${flags.map((flag) => `${place}" ${flag}"`).join("|")}) ${assign(values)} ;;`],
    );
  });
}

function assign(values: Values): string {
  if (values.kind !== "words") return `values=${values.kind}`;
  return `values=words; candidates=(${values.words.map(quote).join(" ")})`;
}

function commandCase({ path, commands, options, values }: TreeCommand): string {
  const flags = path === "" ? [] : describeFlags(options);
  const names = commands.map(({ name, description }) => describe(name, description));
  const instead = names.length > 0 ? `candidates=(${names.join(" ")})` : values === null ? ":" : assign(values);
  return `        "${path}") if [[ "$current" == -* ]]; then candidates=(${flags.join(" ")} $everywhere); else ${instead}; fi ;;`;
}

function describeFlags(options: TreeCommand["options"]): string[] {
  return options.flatMap(({ flags, description }) => flags.map((flag) => describe(flag, description)));
}

function describe(name: string, description: string): string {
  return quote(`${name}:${description}`);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
