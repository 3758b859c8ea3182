// @ts-check
// Markup in JavaScript: html`<p class=${name}>...</p>` makes what Preact renders.
import htm from "htm";
import { h } from "preact";

/** @type {(strings: TemplateStringsArray, ...values: any[]) => any} */
export const html = htm.bind(h);
