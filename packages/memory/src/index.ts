/** mnemosyne-edge: a human-inspired long-term memory for assistants that run on the device. */
export { Mnemosyne } from "./mnemosyne.js";
export type { MnemosyneDescription } from "./mnemosyne.js";
export type { BackupOptions, BackupProgress, BackupReport } from "./backup.js";
export { defaultPath, profiles } from "./opening.js";
export type { MnemosyneOptions, StoreOptions } from "./opening.js";
export { PersonMemory } from "./person-memory.js";
export type { ConversationOptions, CoreSummaryOptions, ExportOptions, RecallOptions } from "./person-options.js";
export type { HistoryOptions, ListOptions } from "./person-listings.js";
export type { CommitOptions, CommitResult, CorrectOptions, UpdateOptions, UpdateResult } from "./committing.js";
export type { CommitManyOptions, CommitManyResult, ImportResult, ProgressOptions } from "./committing-many.js";
export type { Listing, ListingOptions, Page } from "./listing.js";
export type {
  CoreAreaView,
  CoreChangeView,
  CoreChangedFact,
  CoreFactView,
  CoreSummaryView,
  GraphView,
  HistoryItem,
  Memory,
  MemoryDetail,
  PersonStatistics,
  StatementView,
  VersionView,
} from "./person-views.js";
export { Conversation } from "./conversation.js";
export type {
  CommitTrace,
  InteractionTrace,
  PairingTrace,
  PrunedTrace,
  ReasonApart,
  RedundancyTrace,
  RelatedStatement,
  ReplacedTrace,
} from "./engine/commit-trace.js";
export type { Guard } from "./english/guards.js";
export type { CommitDecision } from "./engine/commit-decision.js";
export type { CoreSummaryTrace } from "./core/central.js";
export type { LogEvent } from "./engine/engine-context.js";
export type { ForgettingReceipt } from "./upkeep/forgetting.js";
export type { CommitInput } from "./engine/commit-input.js";
export type { InteractionInput, Time } from "./engine/interaction.js";
export type { InteractionEdit } from "./engine/interaction-edit.js";
export type { Message, MessageItem, TurnInput } from "./engine/messages.js";
export type {
  CommitEvent,
  ForgettingReason,
  ListenOptions,
  MemoryEventName,
  MemoryEvents,
  MemoryListener,
} from "./engine/memory-events.js";
export type { ModelCounts, ModelStepName, ModelStepTrace } from "./engine/parts.js";
export type { PruningLimits, PruningReport } from "./upkeep/pruning.js";
export type { Recall, RecallTrace } from "./recall/recall.js";
export type { RecalledMemory } from "./recall/recalled-memory.js";
export type { FieldFilter, FilterValue, MemoryFilter } from "./engine/memory-filter.js";
export type { MemorySelection } from "./engine/memory-selection.js";
export type { TimeFocusTrace } from "./recall/recall-time.js";
export type { ReembeddingProgress } from "./upkeep/transfer/reembedding.js";
export type { RefiningReport } from "./commit/refine.js";
export { InputError, MnemosyneError, ModelError, NotFoundError, StaleRevisionError, StoreError } from "./errors.js";
export type { ErrorCode, ErrorFamily } from "./errors.js";
export { parameterDefinitions } from "./parameter-definitions.js";
export type { ParameterDefinition } from "./parameter-definitions.js";
export { parseParameters, presets } from "./parameters.js";
export type { ParameterName, Parameters, Preset } from "./parameters.js";
export type { Clock } from "./ports/clock.js";
export type { EmbeddedStatement, EmbeddedText, Embedder, EmbedderIdentity, TalkWindow } from "./ports/embedder.js";
export type { Reader, Relation, StatementInTalk, StatementPair } from "./ports/reader.js";
export type { ChatMessage, ChatModel, LanguageModel, LanguageModelRequest } from "./ports/language-model.js";
export { describeDamage } from "./engine/records/opened-store.js";
export type { DamagedPart, RecordsDescription } from "./engine/records/opened-store.js";
export type * from "./engine/records/person-data.js";
export type * from "./stores/store.js";
export type { Edge, EmbeddedNode, GraphChange, MemoryNode } from "./graph/memory-node.js";
export type { EndLink, LifeArea, Mark, Place, Reading, Statement } from "./graph/statement.js";
export {
  commitmentPrompt,
  coreSummaryFirstPrompt,
  coreSummaryUpdatePrompt,
  interactionSummaryPrompt,
  runningSummaryPrompt,
  updatesPrompt,
} from "./profiles/profile.js";
export type { Profile, ProfileArea, SubstanceCategory } from "./profiles/profile.js";
