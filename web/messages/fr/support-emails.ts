import type { supportEmails as english } from '../en/support-emails.ts'

export const supportEmails: typeof english = {
  received: {
    subject: 'Nous avons bien reçu votre message',
    preview: 'Nous vous répondrons par e-mail.',
    heading: 'Nous avons bien reçu votre message',
    lead: (host, when) => `Votre message à l’assistance de ${host} est arrivé le ${when}.`,
    answer: 'Nous vous répondrons par e-mail à cette adresse. Vous n’avez rien à faire.',
    reason: (host) =>
      `Vous recevez cet e-mail parce que cette adresse a été indiquée dans le formulaire de contact de ${host}. ` +
      `Si ce n’était pas vous, vous pouvez ignorer cet e-mail.`,
  },
}
