/** Notices above the pages of signed-in users. */
export const notices = {
  emailOff:
    'Email isn’t set up, so guests can’t request photos. Set SMTP_URL and MAIL_FROM on the server and restart it.',
}
