import type { notices as english } from '../en/notices.ts'

/** Notices above the pages of signed-in users. */
export const notices: typeof english = {
  emailOff:
    'E-mail is niet ingesteld, dus gasten kunnen geen foto’s aanvragen. Stel SMTP_URL en MAIL_FROM in op de server en herstart die.',
  emailsWait:
    'E-mails aan gasten wachten: de outbox-map of de schijf is vol. Stel SMTP_URL in, verhoog OUTBOX_MAX_MB of haal bestanden uit de map.',
}
