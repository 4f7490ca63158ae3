import { productName } from '@keepsnap/contract/product.ts'

/** Instead of pages that are forms or belong to users, in browsers without JavaScript. */
export const noScript = {
  needed: `${productName} needs JavaScript. Switch it on in the settings of your browser, then load this page again.`,
}
