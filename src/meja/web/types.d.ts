// The messages between browser and server (protocol 1), as the app reads them.

export type Game = "bassadewitz" | "calabresella" | "kaluki" | "smear";
/** "As", "Td", "Jk", "Jk=9h", "Jk=9". */
export type Card = string;
export type Value = string | number | boolean | null;
/** Epoch milliseconds by the server's clock. */
export type Moment = number;

export interface Fault {
  code: string;
  text: string;
  rule: string | null;
  head: number | null;
}

export interface Person {
  id: string;
  name: string;
}

export interface Me {
  person: Person | null;
  version: string;
  build: string;
  protocol: number;
  kernels: string;
  now: Moment;
}

export interface Titled {
  name: string;
  title: string;
}

export interface Level extends Titled {
  help: string;
}

export interface Clock extends Titled {
  help: string;
}

export interface GameInfo {
  name: Game;
  title: string;
  blurb: string;
  seats: number[];
  default_seats: number;
  minutes: [number, number];
  presets: Titled[];
  levels: Level[];
  /** The level that is meant where none is chosen. */
  level: string;
}

export interface Phrase {
  name: string;
  text: string;
}

export interface Games {
  games: GameInfo[];
  clocks: Clock[];
  phrases: Phrase[];
}

export interface Choice {
  value: Value;
  text: string;
}

export interface Option {
  name: string;
  title: string;
  help: string;
  rule: string;
  value: Value;
  default: Value;
  choices: Choice[];
}

export interface RulesForm {
  game: Game;
  seats: number;
  preset: string;
  options: Option[];
  warnings: string[];
  changed: string[];
}

export interface Book {
  title: string;
  html: string;
  sections: { id: string; title: string }[];
  numbers: string[];
}

export type Status = "open" | "playing" | "between" | "finished" | "closed";

export interface ListedSeat {
  kind: "person" | "bot" | "open";
  name?: string;
}

export interface ListedTable {
  table: string;
  game: Game;
  title: string;
  host: string;
  seats: ListedSeat[];
  changed: string[];
  clock: string;
  status: Status;
  created: Moment;
  watch: boolean;
}

export interface MyTable {
  table: string;
  game: Game;
  title: string;
  seats: ListedSeat[];
  status: Status;
  your_turn: boolean;
  updated: Moment;
  deal: number;
  totals: number[];
}

export type SeatChoice = { kind: "bot"; level: string } | { kind: "open" };

export interface NewTable {
  key: string;
  game: Game;
  seats: number;
  preset: string;
  options: Record<string, Value>;
  me: number;
  others: SeatChoice[];
  clock: string;
  watch: boolean;
  listed: boolean;
  chat: boolean;
  talk: boolean;
  start: boolean;
}

// -- the table -----------------------------------------------------------------------

/** One public event of a deal; what else it holds depends on its kind. */
export interface GameEvent {
  kind: string;
  seat?: number;
  card?: Card;
  cards?: string;
  [field: string]: unknown;
}

export interface Step {
  seq: number;
  kind: string;
  seat: number | null;
  events: GameEvent[];
  lines: string[];
}

export interface Seat {
  seat: number;
  kind: "person" | "bot" | "open";
  name: string;
  level: string | null;
  here: boolean;
  covered: boolean;
  left: boolean;
  ready: boolean;
  cover_at: Moment | null;
  host: boolean;
  face: string | null;
}

export interface Can {
  sit: number[];
  start: boolean;
  undo: boolean;
  claim: boolean;
  retake: boolean;
  leave: boolean;
  ready: boolean;
  cover: number[];
  rematch: boolean;
  record: boolean;
  host: boolean;
}

export interface DealScore {
  points: number[];
  void: boolean;
  dealer: number;
}

export interface Scores {
  totals: number[];
  deals: DealScore[];
  winners: number[] | null;
  aim: "low" | "high";
  /** What wins, as a sentence. */
  aim_text: string;
}

export interface SheetLine {
  seat: number;
  points: number;
  text: string;
  rule: string;
}

export interface Sheet {
  deal: number;
  void: boolean;
  lines: SheetLine[];
  points: number[];
  /** What else there is to say of the deal: why it was void. */
  note?: string | null;
}

export interface TableMessage {
  seq: number;
  seat: number;
  name: string;
  text: string;
  phrase: string | null;
  at: Moment;
}

export interface State {
  status: Status;
  game: Game;
  title: string;
  rules: { preset: string; [option: string]: Value };
  changed: string[];
  warnings: string[];
  seats: Seat[];
  me: { seat: number | null; host: boolean; known: boolean };
  clock: { mode: "off" | "relaxed" | "quick"; seat: number | null; deadline: Moment | null };
  settings: { watch: boolean; listed: boolean; chat: boolean };
  deal: number;
  counted: number;
  length: number | null;
  target: number | null;
  commit: string | null;
  revealed: { deal: number; seed: string; commit: string } | null;
  next_at: Moment | null;
  can: Can;
  scores: Scores;
  sheet: Sheet | null;
  messages: TableMessage[];
  rematch: string | null;
}

export interface Meld {
  meld: number;
  owner: number;
  cards: Card[];
  points: number;
}

/** What a seat sees of the deal: the fields of every game, then those of each. */
export interface View {
  seat: number | null;
  dealer: number;
  phase: string;
  to_act: number | null;
  hand: Card[];
  hand_sizes: number[];
  /** Empty when it is not this seat's turn. */
  legal: string[];
  totals: number[];
  prompt: string;

  // trick games
  players?: number[];
  leader?: number | null;
  trick?: [number, Card][];
  last_trick?: { cards: [number, Card][]; winner: number } | null;
  tricks_won?: number[];
  trump?: string | null;
  taken?: number[] | Card | null;

  // Smear
  bid?: number | null;
  bidder?: number | null;
  calls?: any[];
  awards?: Record<string, any> | null;

  // Calabresella
  contract?: string | null;
  raise?: string | null;
  called?: Card | null;
  monte?: Card[] | null;

  // Kaluki
  table?: Meld[];
  pile?: Card[];
  upcard?: Card | null;
  stock?: number;
  opened?: any[];
  drew?: Card | null;
  owed?: any;
  openings?: any[];
  left?: any[];
  best?: { melds: Card[][]; points: number; needed: number } | null;

  [field: string]: any;
}

export interface Update {
  table: string;
  protocol: number;
  build: string;
  now: Moment;
  after: number | null;
  head: number;
  steps: Step[];
  state: State;
  /** The lines of the deal so far; only when `after` is null. */
  story?: string[];
  view: View | null;
}

export type Command =
  | { do: "sit"; seat: number }
  | { do: "stand" }
  | { do: "bot"; seat: number; level: string }
  | { do: "open"; seat: number }
  | { do: "start" }
  | { do: "ready"; seed: string }
  | { do: "act"; action: string }
  | { do: "undo" }
  | { do: "claim" }
  | { do: "leave" }
  | { do: "retake" }
  | { do: "cover"; seat: number }
  | { do: "phrase"; phrase: string }
  | { do: "chat"; text: string }
  | { do: "host"; seat: number }
  | { do: "settings"; watch?: boolean; listed?: boolean; chat?: boolean }
  | { do: "rematch" }
  | { do: "close" };

// -- records -------------------------------------------------------------------------

/** A view with all hands open. */
export interface OpenView extends View {
  hands: Card[][];
}

export interface ReplayStep {
  action: string | null;
  lines: string[];
  view: OpenView;
}

export interface Fairness {
  version: string;
  table: string;
  deals: { deal: number; commit: string; server_seed: string; client_seeds: Record<string, string> }[];
}

export interface Replay {
  game: Game;
  title: string;
  players: string[];
  rules: Record<string, Value>;
  changed: string[];
  deals: number;
  deal: number;
  dealer: number;
  steps: ReplayStep[];
  sheet: Sheet | null;
  totals: number[];
  fairness: Fairness | null;
  finished: boolean;
}

/** How fresh what a person sees is. */
export type Link = "live" | "stale" | "offline";
