import { productName } from '@keepsnap/contract/product.ts'
import type { noScript as english } from '../en/no-script.ts'

/** Instead of pages that are forms or belong to users, in browsers without JavaScript. */
export const noScript: typeof english = {
  needed: `${productName} a besoin de JavaScript. Activez-le dans les réglages de votre navigateur, puis rechargez cette page.`,
}
