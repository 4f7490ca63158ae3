import { productName } from '@keepsnap/contract/product.ts'
import type { noScript as english } from '../en/no-script.ts'

/** Instead of pages that are forms or belong to users, in browsers without JavaScript. */
export const noScript: typeof english = {
  needed: `${productName} heeft JavaScript nodig. Zet het aan in de instellingen van je browser en laad deze pagina opnieuw.`,
}
