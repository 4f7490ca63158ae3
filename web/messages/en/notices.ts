/** Notices above the pages of signed-in users. */
export const notices = {
  emailOff:
    'Email isn’t set up, so guests can’t request photos. Set SMTP_URL and MAIL_FROM on the server and restart it.',
  emailsWait:
    'Emails to guests wait: the outbox folder or its disk is full. Set SMTP_URL, raise OUTBOX_MAX_MB or move files out of the folder.',
}
