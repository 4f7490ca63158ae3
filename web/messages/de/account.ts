import type { account as english } from '../en/account.ts'

export const account: typeof english = {
  title: 'Einstellungen',
  heading: 'Einstellungen',
  sections: 'Bereiche der Einstellungen',
  profileTitle: 'Dein Profil',
  edit: 'Profil bearbeiten',
  username: 'Benutzername',
  email: 'E-Mail',
  tier: 'Art des Tarifs',
  tiers: { free: 'Free', pro: 'Pro' },
  genericError: 'Da ist etwas schiefgegangen. Bitte versuch es noch einmal.',
  plan: { name: 'Abo' },
  profile: {
    name: 'Profil',
    lead: 'Die Angaben zu deinem Konto. Gäste sehen nur den Markennamen.',
    save: 'Speichern',
    username: {
      label: 'Benutzername',
      hint: 'Nur du und die Betreiber dieser Website sehen ihn.',
      saved: 'Benutzername gespeichert',
      failed: 'Der Benutzername konnte nicht gespeichert werden. Bitte versuch es noch einmal.',
    },
    brandName: {
      label: 'Markenname (freiwillig)',
      hint: 'Gäste sehen ihn in den E-Mails mit deinen Fotos.',
      afterConfirming: 'Er wird verwendet, sobald deine E-Mail-Adresse bestätigt ist.',
      saved: 'Markenname gespeichert',
      failed: 'Der Markenname konnte nicht gespeichert werden. Bitte versuch es noch einmal.',
    },
    timeZone: {
      label: 'Zeitzone',
      hint: 'Für Uhrzeiten in E-Mails, die Dateinamen der Fotos, die Gäste speichern, und die Abende in Galerie und Statistik.',
      server: 'Die Zeitzone des Servers',
      saved: 'Zeitzone gespeichert',
      failed: 'Die Zeitzone konnte nicht gespeichert werden. Bitte versuch es noch einmal.',
    },
    verified: 'Bestätigt',
    unverified:
      'Diese Adresse ist noch nicht bestätigt. Klicke auf den Link in unserer E-Mail oder fordere eine neue an.',
    resend: 'Erneut senden',
    resent: (email: string) => `Wir haben eine E-Mail an ${email} geschickt.`,
    change: 'E-Mail ändern',
  },
  changeEmail: {
    title: 'E-Mail-Adresse ändern',
    lead: 'Wir schicken einen Link zur Bestätigung an die neue Adresse. Bis du darauf klickst, bleibt deine jetzige.',
    email: 'Neue Adresse',
    emailNeeded: 'Bitte gib eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
    emailSame: 'Das ist schon deine Adresse.',
    password: 'Dein Passwort',
    passwordNeeded: 'Bitte gib dein Passwort ein.',
    submit: 'Link senden',
    sent: (email: string) =>
      `Wir haben eine E-Mail an ${email} geschickt. Deine Adresse ändert sich, sobald du auf den Link darin klickst.`,
  },
}
