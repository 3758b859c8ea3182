// @ts-check
// A seat with what it has laid on the table.

import { Card } from "../card.mjs";
import { html } from "../html.mjs";
import { SeatBadge } from "../table/seats.mjs";
import { plural, t } from "../words.mjs";
import { TableMeld } from "./lying.mjs";

/**
 * @param {object} props
 * @param {number} props.seat
 * @param {import("../table/surface.d.ts").SurfaceProps} props.page
 * @param {import("./plays.mjs").KalukiView} props.view
 * @param {(meld: import("./plays.mjs").TableMeld) => import("./lying.mjs").Offer | null} props.offerOf
 * @param {(meld: import("./plays.mjs").TableMeld) => void} props.onOffer
 */
export function Owner({ seat, page, view, offerOf, onOffer }) {
  const { update, names, link, openSeat } = page;
  const own = seat === view.seat;
  const melds = view.table.filter((meld) => meld.owner === seat);
  const held = view.hand_sizes[seat];
  const left = view.left[seat] ?? [];
  const opened = view.opened[seat];
  return html`<section class="kaluki-owner" data-own=${own ? "" : undefined} data-bare=${melds.length || left.length ? undefined : ""} aria-label=${names[seat]}>
    <${SeatBadge}
      seat=${seat}
      update=${update}
      link=${link}
      openSeat=${openSeat}
      own=${own}
      counts=${[{ icon: "cards", value: held, label: plural(held, t("{count} card", { count: held }), t("{count} cards", { count: held })) }]}
      role=${opened ? { text: t("opened"), label: t("opened"), tone: "good" } : null}
    />
    <div class="kaluki-melds">
      ${melds.map(
        (meld) =>
          html`<${TableMeld}
            key=${meld.meld}
            meld=${meld}
            owner=${names[seat]}
            offer=${offerOf(meld)}
            onOffer=${() => onOffer(meld)}
          />`,
      )}
      ${left.length > 0 &&
      !own &&
      html`<div class="kaluki-left" role="group" aria-label=${t("Left in the hand of {name}", { name: names[seat] })}>
        <div class="kaluki-row">
          ${left.map((card, place) => html`<span class="kaluki-mini" key=${place}><${Card} card=${card} /></span>`)}
        </div>
      </div>`}
    </div>
  </section>`;
}
