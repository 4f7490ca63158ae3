import { productName } from '@keepsnap/contract/product.ts'
import type { noScript as english } from '../en/no-script.ts'

/** What index.html says where the app cannot start, in browsers without JavaScript and in old ones. */
export const noScript: typeof english = {
  needed: `${productName} heeft JavaScript nodig. Zet het aan in de instellingen van je browser en laad deze pagina opnieuw.`,
  unsupported: `${productName} heeft een nieuwere browser nodig: Chrome 108, Safari 16.4, Firefox 115 of later. Is die van jou nieuwer, laad deze pagina dan opnieuw.`,
}
