import type { notices as english } from '../en/notices.ts'

/** Notices above the pages of signed-in users. */
export const notices: typeof english = {
  emailOff:
    'L’envoi d’e-mails n’est pas configuré : les invités ne peuvent pas demander de photos. Définissez SMTP_URL et MAIL_FROM sur le serveur et redémarrez-le.',
  emailsWait:
    'Les e-mails aux invités sont en attente : le dossier d’envoi ou son disque est plein. Définissez SMTP_URL, augmentez OUTBOX_MAX_MB ou déplacez des fichiers hors du dossier.',
}
