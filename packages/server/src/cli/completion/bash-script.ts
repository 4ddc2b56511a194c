/** The completion script for bash. Words are compared one by one: `compgen -W` would run what they contain. */
import { type TreeCommand, type Values, valueFlags, whereFlags } from "./command-tree.js";

export function writeBashScript(tree: readonly TreeCommand[]): string {
  const paths = tree.map(({ path }) => path).filter((path) => path !== "");
  const skipped = valueFlags(tree).filter((flag) => !whereFlags.includes(flag));
  return `# Completion of mnemosyne in bash. In ~/.bashrc: source <(mnemosyne completion bash)
_mnemosyne() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" at="" words="" values="" word i
  local everywhere="${flagsOf(tree[0]!.options)}"
  local -a where=()
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$word" in
      ${whereFlags.join("|")})
        if ((i + 1 < COMP_CWORD)); then where+=("$word" "\${COMP_WORDS[i+1]}"); fi
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
  if [[ -n "$values" ]]; then
    words="$words $("\${COMP_WORDS[0]}" \${where[@]+"\${where[@]}"} completion --values "$values" 2>/dev/null)"
  fi
  local IFS=$' \\n'
  set -f
  for word in $words; do
    if [[ "$word" == "$current"* ]]; then COMPREPLY+=("$word"); fi
  done
  set +f
  if [[ "\${COMPREPLY[0]}" == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o default -F _mnemosyne mnemosyne
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
  if (values.kind === "words") return `words="${values.words.join(" ")}"`;
  return values.kind === "files" ? ":" : `values=${values.kind}`;
}

/** Options once a dash is typed; before that, commands or arguments. */
function commandCase({ path, commands, options, values }: TreeCommand): string {
  const flags = path === "" ? "" : flagsOf(options);
  const instead =
    commands.length > 0 ? `words="${commands.map(({ name }) => name).join(" ")}"` : assign(values ?? none);
  return `        "${path}") if [[ "$current" == -* ]]; then words="${flags} $everywhere"; else ${instead}; fi ;;`;
}

function flagsOf(options: TreeCommand["options"]): string {
  return options.flatMap(({ flags }) => flags).join(" ");
}

const none: Values = { kind: "words", words: [] };
