import { productName } from '@keepsnap/contract/product.ts'

/** Letters. Values come in as they are; the templates escape them. */
export const letters = {
  photo: {
    subject: 'Your photo',
    preview: 'Open it and save it to your phone.',
    heading: 'Here is your photo',
    lead: 'Open it and save it to your phone.',
    attached: 'You find it attached to this letter as well.',
    button: 'Get your photo',
    until: (when: string) => `The link works until ${when}.`,
    otherwise: 'If the button does nothing, copy this address into your browser:',
    file: 'File',
    why: (host: string) =>
      `You get this letter because your address was typed on the page of a photo at ${host}. ` +
      `It is used to send this photo, nothing else. If that was not you, you need not do anything.`,
    operator: (name: string) => `Sent with ${productName}, run by ${name}.`,
  },
}
