import { productName } from '@keepsnap/contract/product.ts'

/** Letters. Values come in as they are; the templates escape them. None of them advertises anything. */
export const letters = {
  operator: (name: string) => `Sent with ${productName}, run by ${name}.`,
  otherwise: 'If the button does nothing, copy this address into your browser:',
  photo: {
    subject: 'Your photo',
    preview: 'Open it and save it to your phone.',
    heading: 'Here is your photo',
    lead: 'Open it and save it to your phone.',
    attached: 'You find it attached to this letter as well.',
    button: 'Get your photo',
    until: (when: string) => `The link works until ${when}.`,
    file: 'File',
    why: (host: string) =>
      `You get this letter because your address was typed on the page of a photo at ${host}. ` +
      `It is used to send this photo, nothing else.`,
    stop: {
      // Two ways on, each a sentence: the second is a link.
      nothing:
        'If that was not you, you need not do anything: no more photos are sent unless your address is typed again.',
      link: 'Or stop all photos to this address',
    },
  },
  reset: {
    subject: 'Set a new password',
    preview: 'The link works for half an hour, once.',
    heading: 'Set a new password',
    lead: 'Somebody, most likely you, asked to set a new password for your account.',
    button: 'Set a new password',
    until: (when: string) => `The link works once, until ${when}. A newer letter replaces it.`,
    why: (host: string) =>
      `You get this letter because a new password was asked for at ${host} with this address. ` +
      `If that was not you, you need not do anything: your password stays as it is.`,
  },
  verify: {
    subject: 'Confirm your e-mail address',
    preview: 'One press, and the address is yours.',
    heading: 'Is this your address?',
    lead: 'Confirm it, so that letters to your guests can all go out and you can always get back in.',
    button: 'Confirm my address',
    until: (when: string) => `The link works once, until ${when}.`,
    why: (host: string) =>
      `You get this letter because an account at ${host} was made with this address. ` +
      `If that was not you, you need not do anything.`,
  },
  change: {
    subject: 'Confirm your new e-mail address',
    preview: 'One press, and it replaces the old one.',
    heading: 'Is this your new address?',
    lead: 'Confirm it, and your account goes by this address from then on. Until you do, the old one stays.',
    button: 'Use this address',
    until: (when: string) => `The link works once, until ${when}.`,
    why: (host: string) =>
      `You get this letter because somebody who is signed in at ${host} asked to use this address. ` +
      `If that was not you, you need not do anything.`,
  },
  archive: {
    subject: 'Your data is ready',
    preview: 'Everything that your account holds, in one file.',
    heading: 'Your data is ready',
    lead: 'Everything that your account holds is in one file: your photos, the requests of your guests, your settings and what you agreed to. Keep the link to yourself: whoever has it can open the file.',
    button: 'Download my data',
    until: (when: string) => `The link works until ${when}, as often as you like.`,
    why: (host: string) => `You get this letter because you asked for your data at ${host}.`,
  },
  passwordChanged: {
    subject: 'Your password was changed',
    preview: 'If that was you, there is nothing to do.',
    heading: 'Your password was changed',
    lead: (when: string) =>
      `The password of your account was changed on ${when}. Every device that was signed in has been signed out.`,
    hint: 'If that was you, there is nothing to do. If it was not, set a new password at once:',
    button: 'Set a new password',
    why: (host: string) => `You get this letter because it is about the safety of your account at ${host}.`,
  },
  emailChanged: {
    subject: 'The e-mail address of your account was changed',
    preview: 'If that was you, there is nothing to do.',
    heading: 'Your e-mail address was changed',
    lead: (when: string, address: string) =>
      `Your account goes by another address since ${when}${address && `: ${address}`}. This one no longer opens it.`,
    hint: (address: string) =>
      `If that was you, there is nothing to do. If it was not, write to ${address} as soon as you can.`,
    why: (host: string) =>
      `You get this letter because this was the address of an account at ${host}. It is the last one about it.`,
  },
  accountDeleted: {
    subject: 'Your account is deleted',
    preview: 'Your photos, codes and requests are gone with it.',
    heading: 'Your account is deleted',
    lead: (when: string) =>
      `As you asked on ${when}, your account is gone, with its photos, codes and requests. Printed codes lead nowhere now.`,
    hint: 'This cannot be undone. The last copies leave our storage within 24 hours.',
    why: (host: string) =>
      `You get this letter because this was the address of an account at ${host}. It is the last one about it.`,
  },
}
