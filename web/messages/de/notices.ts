import type { notices as english } from '../en/notices.ts'

export const notices: typeof english = {
  emailOff:
    'E-Mail ist nicht eingerichtet, deshalb können Gäste keine Fotos anfordern. Setze SMTP_URL und MAIL_FROM auf dem Server und starte ihn neu.',
  emailsWait:
    'E-Mails an Gäste warten: Der Ausgangsordner oder seine Festplatte ist voll. Setze SMTP_URL, erhöhe OUTBOX_MAX_MB, oder verschiebe Dateien aus dem Ordner.',
}
