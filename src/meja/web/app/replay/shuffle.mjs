// @ts-check
// The fair shuffle `meja-shuffle/1`, done again from its seeds with WebCrypto.

export const VERSION = "meja-shuffle/1";

const encoder = new TextEncoder();

/** The bytes of hex digits; `null` for any other text.
 * @param {unknown} text
 * @returns {Uint8Array<ArrayBuffer> | null} */
export function hexBytes(text) {
  if (typeof text !== "string" || text.length % 2 || !/^[0-9a-f]*$/i.test(text)) {
    return null;
  }
  return Uint8Array.from({ length: text.length / 2 }, (_, place) => parseInt(text.slice(2 * place, 2 * place + 2), 16));
}

/** @param {Uint8Array} bytes */
function hexText(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What the server promises before a deal: a hash that only this seed gives.
 * @param {Uint8Array} seed
 * @param {string} table
 * @param {number} deal counted from 1
 * @returns {Promise<string>} */
export async function commitment(seed, table, deal) {
  const tail = encoder.encode(`${table}/${deal}`);
  const message = new Uint8Array(seed.length + tail.length);
  message.set(seed);
  message.set(tail, seed.length);
  return hexText(new Uint8Array(await crypto.subtle.digest("SHA-256", message)));
}

/** The seeds of the players' browsers as the stream takes them: `0:ab…,2:cd…`.
 * @param {Record<string, string>} seeds by seat */
export function joinedSeeds(seeds) {
  return Object.keys(seeds)
    .map(Number)
    .sort((one, other) => one - other)
    .map((seat) => `${seat}:${seeds[seat].toLowerCase()}`)
    .join(",");
}

/** The random numbers of one deal: blocks of HMAC-SHA256, read as 32-bit words. */
export class Stream {
  /** @param {CryptoKey} key
   * @param {string} prefix */
  constructor(key, prefix) {
    this.key = key;
    this.prefix = prefix;
    this.block = 0;
    /** @type {number[]} */
    this.words = [];
  }

  /** @param {Uint8Array<ArrayBuffer>} seed
   * @param {Record<string, string>} seeds
   * @param {string} table
   * @param {number} deal */
  static async of(seed, seeds, table, deal) {
    const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return new Stream(key, `${joinedSeeds(seeds)}|${table}|${deal}|`);
  }

  /** A number from 0 to `bound - 1`, each as likely as any other.
   * @param {number} bound
   * @returns {Promise<number>} */
  async below(bound) {
    const limit = 2 ** 32 - (2 ** 32 % bound);
    for (;;) {
      if (!this.words.length) {
        const message = encoder.encode(this.prefix + this.block++);
        const view = new DataView(await crypto.subtle.sign("HMAC", this.key, message));
        this.words = Array.from({ length: 8 }, (_, place) => view.getUint32(4 * place));
      }
      const word = /** @type {number} */ (this.words.shift());
      if (word < limit) {
        return word % bound;
      }
    }
  }

  /** The cards in the order that the stream gives them (Fisher-Yates, from the end).
   * @param {readonly string[]} cards
   * @returns {Promise<string[]>} */
  async shuffled(cards) {
    const order = [...cards];
    for (let last = order.length - 1; last > 0; last--) {
      const other = await this.below(last + 1);
      [order[last], order[other]] = [order[other], order[last]];
    }
    return order;
  }
}
