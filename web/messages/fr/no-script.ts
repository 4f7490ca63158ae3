import { productName } from '@keepsnap/contract/product.ts'
import type { noScript as english } from '../en/no-script.ts'

/** What index.html says where the app cannot start, in browsers without JavaScript and in old ones. */
export const noScript: typeof english = {
  needed: `${productName} a besoin de JavaScript. Activez-le dans les réglages de votre navigateur, puis rechargez cette page.`,
  unsupported: `${productName} a besoin d’un navigateur plus récent : Chrome 108, Safari 16.4, Firefox 115 ou ultérieur. Si le vôtre est plus récent, rechargez cette page.`,
}
