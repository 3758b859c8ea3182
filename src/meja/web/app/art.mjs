// @ts-check
// Each game's own picture: its cloth, a table with as many places as it has seats, and a fan of cards.
import { Card } from "./card.mjs";
import { html } from "./html.mjs";

/** Game -> the cards that it turns on. @type {Record<string, string[]>} */
const FANS = {
  bassadewitz: ["7c", "9s", "Qh", "Kd", "Ad"],
  calabresella: ["4s", "Kd", "Ah", "2c", "3d"],
  kaluki: ["8h", "9h", "Jk", "Jh", "Qh"],
  smear: ["2s", "Ts", "Js", "Ks", "As"],
};

/** @param {{ game: string, seats?: number }} props */
export function Art({ game, seats = 0 }) {
  const cards = FANS[game] ?? [];
  const middle = (cards.length - 1) / 2;
  return html`<div class="art" data-game=${game} aria-hidden="true">
    <div class="cloth">
      ${Array.from({ length: seats }, (_, seat) => {
        // The first seat is the one nearest to the reader.
        const turn = (2 * Math.PI * seat) / seats;
        return html`<i class="place" style=${{ "--x": -Math.sin(turn), "--y": Math.cos(turn) }}></i>`;
      })}
      <div class="fan">
        ${cards.map(
          (card, index) => html`<span style=${{ "--at": index - middle }}><${Card} card=${card} hidden /></span>`,
        )}
      </div>
    </div>
  </div>`;
}
