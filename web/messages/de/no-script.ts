import { productName } from '@keepsnap/contract/product.ts'
import type { noScript as english } from '../en/no-script.ts'

/** What index.html says where the app cannot start, in browsers without JavaScript and in old ones. */
export const noScript: typeof english = {
  needed: `${productName} braucht JavaScript. Schalte es in den Einstellungen deines Browsers ein und lade diese Seite neu.`,
  unsupported: `${productName} braucht einen neueren Browser: Chrome 108, Safari 16.4, Firefox 115 oder neuer. Wenn deiner neuer ist, lade diese Seite neu.`,
}
