import type { supportEmails as english } from '../en/support-emails.ts'

export const supportEmails: typeof english = {
  received: {
    subject: 'Wir haben deine Nachricht bekommen',
    preview: 'Wir antworten per E-Mail.',
    heading: 'Wir haben deine Nachricht bekommen',
    lead: (host, when) => `Deine Nachricht an den Support von ${host} ist am ${when} Uhr angekommen.`,
    answer: 'Unsere Antwort geht per E-Mail an diese Adresse. Du musst nichts weiter tun.',
    reason: (host) =>
      `Du bekommst diese E-Mail, weil diese Adresse im Kontaktformular auf ${host} eingegeben wurde. ` +
      `Wenn du das nicht warst, kannst du diese E-Mail ignorieren.`,
  },
}
