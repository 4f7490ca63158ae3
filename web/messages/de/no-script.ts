import { productName } from '@keepsnap/contract/product.ts'
import type { noScript as english } from '../en/no-script.ts'

/** Instead of pages that are forms or belong to users, in browsers without JavaScript. */
export const noScript: typeof english = {
  needed: `${productName} braucht JavaScript. Schalte es in den Einstellungen deines Browsers ein und lade diese Seite neu.`,
}
