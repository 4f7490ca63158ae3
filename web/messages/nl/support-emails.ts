import type { supportEmails as english } from '../en/support-emails.ts'

export const supportEmails: typeof english = {
  received: {
    subject: 'We hebben je bericht ontvangen',
    preview: 'We antwoorden per e-mail.',
    heading: 'We hebben je bericht ontvangen',
    lead: (host, when) => `Je bericht aan ${host} is aangekomen op ${when}.`,
    answer: 'We antwoorden per e-mail op dit adres. Je hoeft niets te doen.',
    reason: (host) =>
      `Je krijgt deze e-mail omdat dit adres is ingevuld in het contactformulier op ${host}. ` +
      `Was jij dat niet? Dan mag je deze e-mail negeren.`,
  },
}
