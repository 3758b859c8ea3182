// The shapes that cross the table page: what the server tells, and what a game's surface gets.
// Types only: nothing here is loaded by a browser.

import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

import type { GameEvent, Link, Seat as SeatState, Sheet, State, Step, Update, View } from "../../types.d.ts";

export type { SeatState, Sheet, State as TableState, Step, Update, View };
export type TableEvent = GameEvent & Record<string, any>;

export type CardText = string;
export type Seat = number;

export interface TrickView extends View {
  players: Seat[];
  leader: Seat;
  trick: [Seat, CardText][];
  last_trick: { cards: [Seat, CardText][]; winner: Seat } | null;
  tricks_won: number[];
  trump: string | null;
  taken: number[];
}

/** What a refused try is answered with: one sentence, and the number of the rule. */
export interface Refusal {
  action: string;
  code: string;
  text: string;
  rule: string | null;
}

/**
 * What every game's surface gets. The page around it has the title bar, the menu, the scores, the log, the chat,
 * the sheet between deals, the live regions and the refusal's sentence; the surface draws the felt, the other seats
 * and the own hand into the box it is given (it fills the box, and nothing of it scrolls but a long Kaluki table).
 *
 * `update` is the truth and changes with every message from the server; `update.steps` says what happened
 * since the one before (empty after a reload). Never draw what the server has not said: a card that was sent
 * is drawn as *sending* (`sending` holds its action) until `update` changes.
 */
export interface SurfaceProps {
  update: Update;
  /** The own view: `update.view`, never null here. `view.seat` is null for a spectator. */
  view: View;
  /**
   * Sends an action ("play As"). Resolves true when the server took it, false when it was refused, stale or lost
   * (the page shows the sentence itself). While one action is on its way another call resolves false at once.
   */
  act: (action: string) => Promise<boolean>;
  /** Takes the last decision back; true when the server did it. What goes wrong the page shows itself. */
  undo: () => Promise<boolean>;
  /** The action that is on its way, or null. */
  sending: string | null;
  /** Something was not sent and waits for the connection: nothing is done by itself until then. */
  waiting: boolean;
  /** The last refusal, until the next try or update. */
  refusal: Refusal | null;
  /** By seat, as they are shown: names of people and bots; the own seat is called by its name too. */
  names: string[];
  /**
   * Hears every update with its new steps (each step once, also where several updates come before one drawing);
   * for animations and sounds. Returns what ends it: `useEffect(() => listen(...), [])`.
   */
  listen: (listener: (update: Update, steps: Step[], before: Update | null) => void) => () => void;
  /** Set it to true while something is shown that the score sheet must not cover yet (the last trick, the last melds). */
  busy: Signal<boolean>;
  /** The server's time in epoch milliseconds, for clocks. */
  now: () => number;
  /** "live", or why clocks are grey. */
  link: Link;
  /** Opens what can be done about a seat (mute, ask for cover, pass the host role): the click on a seat's badge. */
  openSeat: (seat: Seat) => void;
  /** Reads a sentence out politely (the live region); shows nothing. */
  announce: (text: string) => void;
  /** Opens the rules of this table at a rule ("K3.2"), or at the top. */
  openRule: (rule?: string) => void;
}

/**
 * A surface module exports a component with these props, and the words for the letters h t l s w r, which the page
 * reads into its live region: `queries(update, names)` gives one sentence per letter ("s" and "w" the page
 * answers itself where they are missing).
 */
export type Queries = (update: Update, names: string[]) => Partial<Record<"h" | "t" | "l" | "s" | "w" | "r", string>>;

export interface SurfaceModule {
  /** Kaluki: `import { KalukiTable as surface, queries } from "../kaluki/table.mjs"`. */
  surface: (props: SurfaceProps) => ComponentChildren;
  queries: Queries;
  /** The keys of the hand for the help: the key and what it does; without it those of the trick games are told. */
  keys?: () => [string, string][];
}

// Other parts of the table page that a surface may use:
//   seats.mjs   SeatBadge({seat, props, place, counts, bubble}): name, level, cards left, dealer marker, clock ring, here/covered
//               (it carries data-seat, so that cards can fly from it); placeOf(seat, me, seats): where it stands, 0 = own
//   drag.mjs    startDrag(event, {payload, onDrop, ...}) and `data-drop`
//   motion.mjs  pace(), flyIn(element, fromRect), flyOut(element, toRect): honour speed and reduced motion
//   sound.mjs   play("card" | "trick" | "deal" | "bid" | "turn" | "score" | "win" | "refuse")
// The page itself sounds "turn", "score", "win" and "refuse"; a surface sounds its cards.

/** Where a seat stands on the screen: 0 is the viewer, then clockwise; spectators see seat 0 at the bottom. */
export type Place = number;
