import { productName } from '@keepsnap/contract/product.ts'

/** What index.html says where the app cannot start, in browsers without JavaScript and in old ones. */
export const noScript = {
  needed: `${productName} needs JavaScript. Switch it on in the settings of your browser, then load this page again.`,
  /** The versions are those of browsers.ts. */
  unsupported: `${productName} needs a newer browser: Chrome 108, Safari 16.4, Firefox 115 or later. If yours is newer, load this page again.`,
}
