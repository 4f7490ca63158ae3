import { eventLimits } from '@keepsnap/contract/limits.ts'
import type * as english from '../en/event-archive.ts'

export const eventArchive: typeof english.eventArchive = {
  heading: 'Alle Fotos als eine Datei',
  lead: 'Die Fotos in voller Größe unter ihren eigenen Namen, auch die, die Sie ausgeblendet haben. Ein abgebrochener Download kann dort weitergehen, wo er aufgehört hat.',
  size: (count, written, size) => (count === 1 ? `1 Foto, ${size}` : `${written} Fotos, ${size}`),
  none: 'Es gibt noch keine Fotos zum Herunterladen.',
  download: 'Alles herunterladen',
  failed: 'Die Größe des Downloads konnte nicht ermittelt werden.',
  grants: {
    heading: 'Dem Paar alles schicken',
    lead: `Es bekommt einen Link zu allen Fotos, die Gäste sehen dürfen, ohne Konto und unabhängig von der Galerie. Er gilt ${eventLimits.grantDays} Tage. Sie können ihn jederzeit widerrufen.`,
    address: 'E-Mail-Adresse des Paars',
    placeholder: 'name@example.com',
    send: 'Link schicken',
    sent: (address) => `Der Link ist unterwegs an ${address}.`,
    failedToSend: 'Der Link konnte nicht geschickt werden. Bitte versuchen Sie es erneut.',
    list: 'Links, die Sie geschickt haben',
    none: 'Es wurde noch kein Link geschickt.',
    until: (date) => `Gilt bis ${date}`,
    expired: 'Abgelaufen',
    revoked: 'Widerrufen',
    states: { queued: 'Wird gesendet', sent: 'Gesendet', failed: 'Nicht gesendet' },
    resend: 'Erneut schicken',
    resendTo: (address) => `Den Link erneut an ${address} schicken`,
    revoke: 'Widerrufen',
    revokeOf: (address) => `Den Link von ${address} widerrufen`,
    loadFailed: 'Die Links konnten nicht geladen werden.',
    revocation: {
      title: 'Diesen Link widerrufen?',
      question: (address) =>
        `Der Link an ${address} funktioniert sofort nicht mehr, und laufende Downloads enden. Bereits gespeicherte Fotos bleiben dort.`,
      confirm: 'Widerrufen',
      keep: 'Behalten',
      failed: 'Der Link konnte nicht widerrufen werden. Bitte versuchen Sie es erneut.',
      done: 'Widerrufen. Der Link funktioniert nicht mehr.',
    },
  },
}

export const eventGrant: typeof english.eventGrant = {
  description: 'Alle Fotos dieser Veranstaltung.',
  from: (brandName) => `von ${brandName}`,
  size: (count, written, size) => (count === 1 ? `1 Foto, ${size}` : `${written} Fotos, ${size}`),
  download: 'Alles herunterladen',
  hint: 'Eine ZIP-Datei. Am Computer öffnet sie sich mit einem Doppelklick; auf dem Handy brauchen Sie genug Platz und die App „Dateien“. Ein abgebrochener Download kann weitergehen.',
  until: (when) =>
    `Dieser Link gilt bis ${when}. Bitte geben Sie ihn nicht weiter: Wer ihn hat, kann alle diese Fotos sehen.`,
  none: 'Es gibt noch keine Fotos. Öffnen Sie diesen Link später noch einmal.',
  processing: (count) =>
    count === 1 ? '1 weiteres Foto wird vorbereitet.' : `${count} weitere Fotos werden vorbereitet.`,
  photos: 'Fotos, die neuesten zuerst',
  photo: (number) => `Foto ${number}`,
  save: 'Speichern',
  saveOne: (number) => `Foto ${number} speichern`,
  older: 'Ältere Fotos',
  newest: 'Neueste Fotos',
  gone: {
    heading: 'Dieser Link funktioniert nicht mehr',
    advice: `Links zu allen Fotos einer Veranstaltung gelten ${eventLimits.grantDays} Tage oder bis sie widerrufen werden. Bitten Sie die Person, die ihn geschickt hat, um einen neuen.`,
  },
}

export const eventGrantEmails: typeof english.eventGrantEmails = {
  grant: {
    subject: (eventName) => `Alle Fotos von ${eventName}`,
    preview: 'Ein Link, um sie anzusehen und herunterzuladen.',
    lead: (eventName, from) => `${from} gibt Ihnen alle Fotos von ${eventName}.`,
    count: (count, written) =>
      count === 0
        ? 'Sie erscheinen auf der Seite, sobald es welche gibt.'
        : count === 1
          ? 'Jetzt gibt es 1 Foto. Was später dazukommt, ist dort auch zu sehen.'
          : `Jetzt gibt es ${written} Fotos. Was später dazukommt, ist dort auch zu sehen.`,
    private:
      'Sie brauchen kein Konto. Bitte geben Sie den Link nicht weiter: Wer ihn hat, kann alle diese Fotos sehen.',
    button: 'Fotos ansehen',
    expiry: (when) => `Der Link gilt bis ${when}.`,
    ignore: 'Wenn Sie nicht wissen, von wem er kommt, können Sie diese E-Mail ignorieren.',
    reason: (host) =>
      `Sie erhalten diese E-Mail, weil Ihnen jemand auf ${host} die Fotos einer Veranstaltung geschickt hat.`,
  },
  created: {
    subject: 'Sie haben einen Link zu allen Fotos einer Veranstaltung geschickt',
    heading: 'Ein Link zu allen Fotos wurde geschickt',
    lead: (when, address) =>
      `Am ${when} wurde ein Link zu allen Fotos einer Ihrer Veranstaltungen an ${address} geschickt. Wer ihn hat, kann sie ansehen und herunterladen.`,
    hint: 'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, legen Sie jetzt ein neues Passwort fest. Wenn Sie sich damit anmelden, können Sie den Link widerrufen.',
  },
}
