import { billingLimits } from '@keepsnap/contract/limits.ts'
import { productName } from '@keepsnap/contract/site.ts'
import type * as english from '../en/emails.ts'

export const csv: typeof english.csv = {
  words: {
    'API key': 'API-Schlüssel',
    'Added by': 'Hinzugefügt von',
    Attempts: 'Versuche',
    Consent: 'Einwilligung',
    'Created (UTC)': 'Erstellt (UTC)',
    'Decided (UTC)': 'Entschieden (UTC)',
    'Decision of an operator': 'Entscheidung des Betreibers',
    Downloads: 'Downloads',
    Evening: 'Abend',
    Event: 'Ereignis',
    'Event ID': 'ID des Ereignisses',
    'Event of the photo': 'Veranstaltung des Fotos',
    Files: 'Dateien',
    'Finished (UTC)': 'Beendet (UTC)',
    'Guests who joined': 'Gäste, die mitmachen',
    Height: 'Höhe',
    'Hidden from guests': 'Für Gäste ausgeblendet',
    Hour: 'Stunde',
    'Hour (UTC)': 'Stunde (UTC)',
    'Last answer': 'Letzte Antwort',
    'Last error': 'Letzter Fehler',
    'Message of the operator': 'Nachricht des Betreibers',
    Name: 'Name',
    'Per 100 scans': 'Pro 100 Scans',
    Photo: 'Foto',
    'Photo ID': 'ID des Fotos',
    'Photos added': 'Hinzugefügte Fotos',
    Reason: 'Grund',
    Replay: 'Wiederholung',
    'Requested (UTC)': 'Angefragt (UTC)',
    Requester: 'Von',
    Requests: 'Anfragen',
    Review: 'Prüfung',
    Scans: 'Scans',
    'Scans of photos': 'Scans von Fotos',
    'Scans of the event': 'Scans der Veranstaltung',
    'Sent (UTC)': 'Gesendet (UTC)',
    State: 'Status',
    'Taken (UTC)': 'Aufgenommen (UTC)',
    'Uploaded (UTC)': 'Hochgeladen (UTC)',
    Views: 'Aufrufe',
    'Webhook ID': 'ID des Webhooks',
    Width: 'Breite',
    approved: 'freigegeben',
    cancelled: 'abgebrochen',
    delivered: 'zugestellt',
    failed: 'gescheitert',
    guest: 'Gast',
    hide: 'ausblenden',
    no: 'nein',
    photo: 'Foto',
    photos: 'Fotos',
    queued: 'in Arbeit',
    ready: 'fertig',
    rejected: 'abgelehnt',
    sent: 'gesendet',
    show: 'anzeigen',
    waiting: 'wartet',
    yes: 'ja',
    you: 'du',
  },
}

// Times come as `Dienstag, 17. November um 22:51`, days as `17. November 2026`.
export const emails: typeof english.emails = {
  operator: (name: string) => `Gesendet mit ${productName}, betrieben von ${name}.`,
  beforeLink: (link: string) => `${link}:`,
  copyLink: 'Falls der Knopf nicht funktioniert, kopiere diesen Link in deinen Browser:',
  settings: 'Zu den Einstellungen',
  pricing: 'Tarife ansehen',
  /** What emails about the security of an account have in common. */
  security: {
    preview: 'Warst du das selbst, musst du nichts tun.',
    button: 'Neues Passwort festlegen',
    reason: (host: string) => `Du bekommst diese E-Mail, weil es um die Sicherheit deines Kontos bei ${host} geht.`,
  },
  /** After a key or a webhook was created. */
  accessHint:
    'Warst du das selbst, musst du nichts tun. Wenn nicht, lege jetzt ein neues Passwort fest. Wenn du dich damit anmeldest, kannst du die API-Schlüssel und Webhooks löschen, die nicht von dir sind.',
  photo: {
    subject: (brandName: string | null) => (brandName === null ? 'Dein Foto ist da' : `Dein Foto von ${brandName}`),
    sender: (brandName: string | null) => `${brandName ?? 'Dein Fototeam'}, über ${productName}`,
    heading: 'Hier ist dein Foto',
    pictureAlt: 'Dein Foto',
    lead: 'Öffne es und speichere es auf deinem Handy.',
    attached: 'Es hängt auch an dieser E-Mail.',
    button: 'Zum Foto',
    expiry: (when: string) => `Der Link gilt bis ${when} Uhr.`,
    file: (name: string) => `Datei: ${name}`,
    reason: (host: string) =>
      `Du bekommst diese E-Mail, weil deine Adresse auf einer Fotoseite von ${host} eingegeben wurde. ` +
      `Wir verwenden sie, um dieses Foto zu senden, und für nichts anderes.`,
    unsubscribe: {
      ignore:
        'Warst du das nicht, kannst du diese E-Mail ignorieren. Wir schicken keine weiteren Fotos, solange deine Adresse nicht noch einmal eingegeben wird.',
      link: 'Keine Fotos mehr an diese Adresse schicken',
    },
  },
  webhookDisabled: {
    subject: (host: string) => `Dein Webhook zu ${host} wurde ausgeschaltet`,
    preview: 'Er hat einen Tag lang nichts angenommen.',
    heading: 'Ein Webhook wurde ausgeschaltet',
    lead: (host: string, since: string) =>
      `${host} hat seit ${since} Uhr kein Ereignis mehr angenommen, obwohl wir es einen Tag lang versucht haben.`,
    hint: 'Dorthin wird nichts mehr gesendet. In den Einstellungen siehst du, was schiefgegangen ist. Dort kannst du den Webhook wieder einschalten und noch einmal senden, was nicht angekommen ist.',
    reason: (host: string) => `Du bekommst diese E-Mail, weil dieser Webhook zu deinem Konto bei ${host} gehört.`,
  },
  guestPhotos: {
    waiting: {
      subject: (count: string, event: string) => `${count} Fotos von Gästen warten auf dich: ${event}`,
      preview: 'Gäste sehen sie, sobald du sie freigibst.',
      heading: 'Fotos von Gästen warten auf dich',
      lead: (count: string, event: string) =>
        `Gäste von ${event} haben ${count} Fotos hinzugefügt, die noch niemand angesehen hat.`,
      hint: 'Andere sehen sie, sobald du sie freigibst. Bis dahin sehen sie nur du und wer sie hinzugefügt hat.',
    },
    full: {
      subject: (event: string) => `Gäste können keine Fotos mehr hinzufügen: ${event}`,
      preview: 'Deine eigenen Uploads gehen weiter wie bisher.',
      heading: 'Gäste können keine Fotos mehr hinzufügen',
      lead: (event: string) =>
        `Die Fotos, die Gäste zu ${event} hinzufügen dürfen, sind aufgebraucht: die der Veranstaltung, die deines Tarifs in diesem Monat, oder der Teil deines Speichers, den Gäste füllen dürfen.`,
      hint: 'Deine eigenen Uploads gehen weiter wie bisher. Du kannst mehr Fotos für die Veranstaltung erlauben, einige ablehnen oder einen größeren Tarif wählen.',
    },
    button: 'Fotos ansehen',
    reason: (host: string) =>
      `Du bekommst diese E-Mail, weil Gäste Fotos zu einer Veranstaltung deines Kontos bei ${host} hinzufügen.`,
    unsubscribe: {
      ignore: 'Wir senden jede dieser E-Mails höchstens einmal am Tag für eine Veranstaltung.',
      link: 'Diese E-Mails auf der Seite der Veranstaltung abschalten',
    },
  },
  requestRemoval: {
    subject: (count: string) => `${count} E-Mail-Adressen von Gästen werden bald entfernt`,
    preview: (day: string) => `Die ersten am ${day}. Bis dahin kannst du sie exportieren.`,
    heading: 'Adressen von Gästen werden bald entfernt',
    lead: (count, day, days) =>
      `Anfragen nach deinen Fotos werden ${days.kept} Tage lang aufbewahrt. In den nächsten ${days.soon} Tagen werden ${count} E-Mail-Adressen entfernt, die ersten am ${day}.`,
    hint: 'Wenn du sie brauchst, exportiere sie vorher: Auf der Seite Fotoanfragen findest du „CSV exportieren“.',
    button: 'Fotoanfragen öffnen',
    reason: (host: string) =>
      `Du bekommst diese E-Mail, weil Gäste Fotos aus deinem Konto bei ${host} angefragt haben.`,
    unsubscribe: {
      ignore: 'Wir schicken sie höchstens einmal im Monat.',
      link: 'Diese E-Mails in den Einstellungen ausschalten',
    },
  },
  reset: {
    subject: 'Lege ein neues Passwort fest',
    preview: 'Der Link gilt nur einmal, 30 Minuten lang.',
    lead: 'Jemand (hoffentlich du) möchte das Passwort deines Kontos zurücksetzen.',
    button: 'Neues Passwort festlegen',
    expiry: (when: string) =>
      `Der Link gilt nur einmal, bis ${when} Uhr. Wenn du noch einen anforderst, gilt nur der neueste.`,
    reason: (host: string) =>
      `Du bekommst diese E-Mail, weil bei ${host} für diese Adresse ein neues Passwort angefordert wurde. ` +
      `Warst du das nicht, kannst du diese E-Mail ignorieren: Dein Passwort bleibt, wie es ist.`,
  },
  verify: {
    subject: 'Bestätige deine E-Mail-Adresse',
    preview: 'Ein Klick genügt.',
    heading: 'Ist das deine Adresse?',
    lead: 'Bestätige sie, damit wir deinen Gästen E-Mails schicken und dir helfen können, falls du nicht mehr in dein Konto kommst.',
    button: 'Adresse bestätigen',
    expiry: (when: string) => `Der Link gilt nur einmal, bis ${when} Uhr.`,
    reason: (host: string) =>
      `Du bekommst diese E-Mail, weil bei ${host} ein Konto mit dieser Adresse angelegt wurde. ` +
      `Warst du das nicht, kannst du diese E-Mail ignorieren.`,
  },
  change: {
    subject: 'Bestätige deine neue E-Mail-Adresse',
    heading: 'Ist das deine neue Adresse?',
    lead: 'Bestätige sie, um sie für dein Konto zu verwenden. Bis dahin ändert sich nichts.',
    button: 'Diese Adresse verwenden',
    reason: (host: string) =>
      `Du bekommst diese E-Mail, weil jemand, der bei ${host} angemeldet ist, diese Adresse verwenden möchte. ` +
      `Warst du das nicht, kannst du diese E-Mail ignorieren.`,
  },
  archive: {
    subject: 'Deine Daten sind bereit',
    preview: 'Alles aus deinem Konto, in einer Datei.',
    lead: 'Alles aus deinem Konto steckt in einer Datei: deine Fotos, die Anfragen deiner Gäste, deine Einstellungen und deine Einwilligungen. Gib den Link nicht weiter: Wer ihn hat, kann die Datei öffnen.',
    button: 'Daten herunterladen',
    expiry: (when: string) => `Der Link gilt bis ${when} Uhr, so oft du willst.`,
    reason: (host: string) => `Du bekommst diese E-Mail, weil du bei ${host} deine Daten angefordert hast.`,
  },
  report: {
    subject: 'Ein Gast hat eines deiner Fotos gemeldet',
    subjectMany: (photos: number) => `Gäste haben ${photos} deiner Fotos gemeldet`,
    preview: 'Du entscheidest, ob Gäste weiterhin Zugang haben.',
    heading: 'Ein Gast hat ein Foto gemeldet',
    headingMany: (photos: number) => `Gäste haben ${photos} Fotos gemeldet`,
    lead: (filename: string, reasons: string) =>
      `Ein Gast hat ${filename} gemeldet. Als Grund ist angegeben: ${reasons}.`,
    leadMany: 'Über jedes davon musst du entscheiden.',
    hint: 'Bis du entscheidest, können Gäste es weiterhin mit seinem Code öffnen. Du kannst es mit einem Klick ausblenden und auch wieder zeigen.',
    hintMany:
      'Bis du entscheidest, können Gäste sie weiterhin mit ihren Codes öffnen. Du kannst jedes mit einem Klick ausblenden und auch wieder zeigen.',
    button: 'Meldungen ansehen',
    reason: (host: string) =>
      `Du bekommst diese E-Mail, weil Gäste Fotos deines Kontos bei ${host} melden können. ` +
      `Der Link öffnet nur die Seite: Es ändert sich nichts, solange du dort nichts anklickst.`,
    reasons: {
      me: 'die abgebildete Person möchte das nicht',
      child: 'ein Kind ist zu sehen',
      hurtful: 'es ist verletzend',
      illegal: 'es könnte verboten sein',
      other: 'ein anderer Grund',
    },
    and: '; ',
  },
  passwordChanged: {
    subject: 'Dein Passwort wurde geändert',
    lead: (when: string) =>
      `Das Passwort deines Kontos wurde am ${when} Uhr geändert. Alle angemeldeten Geräte wurden abgemeldet.`,
    hint: 'Warst du das selbst, musst du nichts tun. Wenn nicht, lege jetzt ein neues Passwort fest:',
  },
  newSignIn: {
    subject: 'Neue Anmeldung bei deinem Konto',
    lead: (when: string, device: string) =>
      `Ein neuer Browser hat sich am ${when} Uhr bei deinem Konto angemeldet${device}. Er war dort noch nie angemeldet, oder seine Cookies wurden gelöscht. Warst du das selbst, musst du nichts tun.`,
    signOut: (url: string) => `Wenn nicht, wähle „Überall abmelden“ in den Einstellungen: ${url}`,
    hint: 'Lege danach ein neues Passwort fest, denn jemand kennt das jetzige:',
  },
  apiKeyCreated: {
    subject: 'Ein neuer API-Schlüssel für dein Konto',
    heading: 'Ein API-Schlüssel wurde erstellt',
    lead: (when: string, name: string) =>
      `Am ${when} Uhr wurde der API-Schlüssel „${name}“ erstellt. Wer ihn hat, kann dein Konto und deine Fotos lesen und neue Fotos hochladen.`,
  },
  webhookCreated: {
    subject: 'Ein neuer Webhook für dein Konto',
    heading: 'Ein Webhook wurde eingerichtet',
    lead: (when: string, name: string) =>
      `Am ${when} Uhr wurde ein Webhook eingerichtet, der Ereignisse deines Kontos an ${name} sendet.`,
  },
  emailChanged: {
    subject: 'Die E-Mail-Adresse deines Kontos wurde geändert',
    heading: 'Deine E-Mail-Adresse wurde geändert',
    lead: (when: string, address: string) =>
      `Am ${when} Uhr wurde die E-Mail-Adresse deines Kontos ${address && `auf ${address} `}geändert. ` +
      `Mit dieser Adresse hier kannst du dich nicht mehr anmelden.`,
    hint: (address: string) =>
      `Warst du das selbst, musst du nichts tun. Wenn nicht, schreib so schnell wie möglich an ${address}.`,
    reason: (host: string) =>
      `Du bekommst diese E-Mail, weil ein Konto bei ${host} bisher diese Adresse hatte. ` +
      `Weitere E-Mails dazu bekommst du nicht.`,
  },
  test: {
    subject: 'Deine E-Mails kommen an',
    preview: 'Das ist die Test-E-Mail, die du wolltest.',
    lead: (when: string) =>
      `Das ist die Test-E-Mail, die du am ${when} Uhr angefordert hast. E-Mails an deine Gäste werden auf dieselbe Weise gesendet.`,
    reason: (host: string) =>
      `Du bekommst diese E-Mail, weil du sie in deinen Einstellungen bei ${host} gesendet hast.`,
  },
  accountDeleted: {
    subject: 'Dein Konto wurde gelöscht',
    preview: 'Auch deine Fotos, Codes und Anfragen sind gelöscht.',
    lead: (when: string) =>
      `Wie von dir am ${when} Uhr gewünscht, haben wir dein Konto mit allen Fotos, Codes und Anfragen gelöscht. Gedruckte Codes funktionieren nicht mehr.`,
    hint: 'Das lässt sich nicht rückgängig machen. Restliche Kopien werden innerhalb von 24 Stunden gelöscht.',
    reason: (host: string) =>
      `Du bekommst diese E-Mail, weil ein Konto bei ${host} diese Adresse hatte. ` +
      `Weitere E-Mails dazu bekommst du nicht.`,
  },
  plan: {
    reason: (host: string) => `Du bekommst diese E-Mail, weil es um die Zahlungen für dein Konto bei ${host} geht.`,
    demo: 'Zahlungen sind hier nur eine Demo: Es fließt kein Geld.',
    perMonth: (price: string) => `${price} pro Monat`,
    perYear: (price: string) => `${price} pro Jahr`,
    started: {
      subject: (plan: string) => `Willkommen bei ${plan}`,
      preview: 'Deine neuen Limits gelten ab sofort.',
      lead: (plan: string, price: string, date: string) =>
        `Danke! Du hast jetzt ${plan} für ${price}. Die nächste Zahlung ist am ${date}.`,
      hint: 'Deine neuen Limits gelten ab sofort. In den Einstellungen kannst du den Tarif wechseln oder kündigen und bekommst dort bis 30 Tage nach deiner ersten Zahlung dein Geld zurück.',
      coveredPreview: 'Deine Zahlung ist angekommen.',
      covered: (plan: string, better: string) =>
        `Dein geschenkter Tarif ${better} bietet mehr und läuft weiter; danach gilt ${plan}. In den Einstellungen kannst du ${plan} wechseln oder kündigen und bekommst dort bis 30 Tage nach deiner ersten Zahlung dein Geld zurück.`,
      withdraw: (place: string) =>
        `Du kannst diesen Vertrag innerhalb von ${billingLimits.withdrawalDays} Tagen ohne Grund widerrufen und bekommst zurück, was du dafür bezahlt hast. „Vertrag hier widerrufen“ steht unten auf jeder Seite: ${place}`,
    },
    firstPaymentFailed: {
      subject: 'Deine Zahlung hat nicht geklappt',
      preview: 'Es wurde nichts abgebucht.',
      lead: (plan: string, price: string) =>
        `Deine Zahlung von ${price} für ${plan} ist nicht angekommen. Es wurde nichts abgebucht, und kein Tarif hat begonnen.`,
      hint: 'Du kannst jederzeit wieder einen Tarif wählen, auch mit einer anderen Zahlungsart.',
    },
    paymentFailed: {
      subject: 'Deine Zahlung hat nicht geklappt',
      preview: 'So behältst du deinen Tarif.',
      lead: (plan: string, price: string) => `Wir konnten ${price} für ${plan} nicht abbuchen.`,
      until: (date: string) => `Dein Tarif läuft noch bis zum ${date}.`,
      hint: 'Um ihn zu behalten, aktualisiere deine Karte in den Einstellungen. Dann versuchen wir es noch einmal.',
      demoHint: 'Um ihn zu behalten, kündige das Abo in den Einstellungen und wähle dann wieder einen Tarif.',
    },
    changed: {
      subject: (plan: string) => `Du hast jetzt ${plan}`,
      lead: (plan: string, price: string, date: string) =>
        `Dein Tarif ist jetzt ${plan} für ${price}. Die nächste Zahlung ist am ${date}.`,
      hint: 'Was von deinem bezahlten Zeitraum übrig war, wird angerechnet. Deine neuen Limits gelten ab sofort.',
      covered: (better: string) =>
        `Was von deinem bezahlten Zeitraum übrig war, wird angerechnet. Dein geschenkter Tarif ${better} bietet mehr und läuft weiter.`,
    },
    cancelled: {
      subject: 'Dein Abo ist gekündigt',
      preview: 'Wir buchen nichts mehr ab.',
      lead: (plan: string, date: string) => `Du behältst ${plan} bis zum ${date}. Wir buchen nichts mehr ab.`,
      hint: 'Bis dahin kannst du es in den Einstellungen fortsetzen.',
    },
    resumed: {
      subject: 'Dein Abo läuft weiter',
      preview: 'Du behältst deinen Tarif.',
      lead: (plan: string, price: string, date: string) =>
        `Du behältst ${plan} für ${price}. Die nächste Zahlung ist am ${date}.`,
    },
    ended: {
      subject: (plan: string) => `${plan} ist beendet`,
      preview: 'Für dein Konto gelten jetzt die Limits des Tarifs Free.',
      lead: 'Wir buchen nichts mehr ab. Für dein Konto gelten jetzt die Limits des Tarifs Free oder, falls du einen hast, die deines geschenkten Tarifs.',
      hint: 'Deine Codes funktionieren weiter. Wenn deine Fotos mehr Speicher brauchen, als du jetzt hast, schreiben wir dir, bevor welche entfernt werden. Du kannst jederzeit wieder einen Tarif wählen.',
    },
    refunded: {
      subject: 'Deine Erstattung',
      preview: (amount: string) => `Wir haben dir ${amount} erstattet.`,
      lead: (amount: string) =>
        `Wir haben dir ${amount} erstattet. Das Geld ist innerhalb von zehn Tagen auf deiner Karte.`,
      hint: 'Das zugehörige Abo ist beendet, und dafür wird nichts mehr abgebucht.',
    },
  },
}

export const operatorEmails: typeof english.operatorEmails = {
  hidden: {
    subject: 'Eines deiner Fotos wurde für Gäste ausgeblendet',
    preview: 'Warum, und was du tun kannst.',
    heading: 'Eines deiner Fotos wurde ausgeblendet',
    lead: (filename, host, when) =>
      `Der Betreiber von ${host} hat ${filename} für Gäste ausgeblendet: ${when}. Codes, Seiten und Links aus E-Mails öffnen das Foto nicht mehr.`,
    why: 'Ein Gast hatte es gemeldet, danach wurde es geprüft.',
    hint: 'In deiner Galerie siehst du seinen Platz und den Grund und kannst es löschen. Solange es ausgeblendet ist, kann niemand das Foto selbst öffnen, auch du nicht. Wenn du meinst, dass das ein Irrtum ist, kontaktiere bitte den Support.',
    button: 'Support kontaktieren',
  },
  shown: {
    subject: 'Dein Foto ist wieder freigegeben',
    preview: 'Du findest es in deiner Galerie.',
    lead: (filename, host, when) =>
      `Der Betreiber von ${host} hat ${filename} wieder freigegeben: ${when}. Codes, Seiten und Links aus E-Mails funktionieren wieder.`,
    leadStillHidden: (filename, host, when) => `Der Betreiber von ${host} hat ${filename} wieder freigegeben: ${when}.`,
    stillHidden:
      'Gäste können es noch nicht öffnen, weil du es selbst ausgeblendet hattest. In deiner Galerie kannst du es wieder zeigen.',
    button: 'Foto öffnen',
  },
  message: 'Nachricht des Betreibers',
  reason: (host) => `Du bekommst diese E-Mail, weil es um ein Foto deines Kontos bei ${host} geht.`,
  disputed: {
    subject: (amount: string) => `Eine Zahlung von ${amount} wird angefochten`,
    preview: 'Worum es geht und was du tun kannst.',
    heading: 'Eine Zahlung wird angefochten',
    lead: (account: string, amount: string, when: string) =>
      `Wer ${amount} für ${account} bezahlt hat, hat diese Zahlung am ${when} Uhr bei der Bank angefochten. Die Bank holt das Geld zurück, bis darüber entschieden ist.`,
    why: (reason: string) => `Der Grund laut Zahlungsanbieter: ${reason}.`,
    respond: (when: string) =>
      `Bis zum ${when} Uhr kannst du dem Zahlungsanbieter auf seiner eigenen Seite Belege schicken.`,
    ends: 'Der Tarif läuft vorerst weiter. Hat die Anfechtung Erfolg, wird das Abo ohne Erstattung gekündigt, und der Tarif endet.',
    button: 'Konto öffnen',
    reason: (host: string) => `Du bekommst diese E-Mail, weil du ${host} betreibst.`,
  },
}

// Times come as `Dienstag, 17. November um 22:51`.
export const storageEmails: typeof english.storageEmails = {
  usage: {
    photosNearlyUsed: (used: string, limit: string) => `Du hast diesen Monat ${used} von ${limit} Fotos verbraucht`,
    photosUsed: (limit: string) => `Du hast alle ${limit} Fotos dieses Monats verbraucht`,
    storageNearlyFull: (used: string, limit: string) => `Du hast ${used} von ${limit} Speicher belegt`,
    storageFull: (limit: string) => `Dein Speicher von ${limit} ist voll`,
    preview: (planName: string) => `Was dein Tarif ${planName} enthält und wie du mehr bekommst.`,
    photosLead: (planName: string, limit: string) => `Dein Tarif ${planName} enthält ${limit} Fotos im Monat.`,
    photosUntil: (when: string) => `Ab ${when} Uhr wird neu gezählt.`,
    photosWait:
      'Bis dahin bleiben neue Fotos in deiner Upload-Liste. Sobald Platz ist, werden sie von selbst hochgeladen.',
    storageLead: (planName: string, limit: string, used: string) =>
      `Dein Tarif ${planName} enthält ${limit} Speicher. Deine Fotos belegen ${used}.`,
    storageWaits:
      'Neue Fotos, die nicht mehr passen, bleiben in deiner Upload-Liste. Sobald Platz ist, werden sie von selbst hochgeladen.',
    morePhotos: 'Wenn du vorher mehr Fotos brauchst, wähle einen größeren Tarif.',
    moreStorage: 'Lösche Fotos, die du nicht mehr brauchst, oder wähle einen größeren Tarif.',
    morePhotosThanAnyPlan: (address: string) => `Wenn du vorher mehr Fotos brauchst, schreib an ${address}.`,
    moreStorageThanAnyPlan: (address: string) =>
      `Lösche Fotos, die du nicht mehr brauchst. Wenn du mehr Speicher brauchst, schreib an ${address}.`,
    gallery: 'Galerie öffnen',
    reason: (host: string) =>
      `Du bekommst diese E-Mail, weil dein Konto bei ${host} an ein Limit seines Tarifs gekommen ist.`,
  },
  removal: {
    subject: (photos: number, count: string, when: string) =>
      photos === 1 ? `1 Foto wird am ${when} Uhr entfernt` : `${count} Fotos werden am ${when} Uhr entfernt`,
    preview: 'Lade alles herunter, wähle einen größeren Tarif, oder lösche Fotos, die du nicht mehr brauchst.',
    heading: (photos: number, count: string) =>
      photos === 1 ? 'Eines deiner Fotos wird entfernt' : `${count} deiner Fotos werden entfernt`,
    lead: (planName: string, limit: string, used: string) =>
      `Dein größerer Tarif ist ausgelaufen. Du hast jetzt ${planName} mit ${limit} Speicher, und deine Fotos belegen ${used}.`,
    removed: ({ photos, count, size, when }: { photos: number; count: string; size: string; when: string }) =>
      photos === 1
        ? `Am ${when} Uhr wird das älteste Foto (${size}) entfernt, damit die anderen passen. Seine Codes und Links funktionieren dann nicht mehr.`
        : `Am ${when} Uhr werden die ${count} ältesten Fotos (${size}) entfernt, damit die anderen passen. Ihre Codes und Links funktionieren dann nicht mehr.`,
    keep: (pricingUrl: string) =>
      `Um alle zu behalten, wähle einen größeren Tarif auf ${pricingUrl}, oder lösche vorher andere Fotos.`,
    archive:
      'Eine Kopie von allem in deinem Konto liegt bereit. Gib den Link nicht weiter: Wer ihn hat, kann die Datei öffnen.',
    noArchive: 'In den Einstellungen kannst du eine Kopie von allem in deinem Konto anfordern.',
    download: 'Alles herunterladen',
    expiry: (when: string) => `Der Link gilt bis ${when} Uhr.`,
    reason: (host: string) => `Du bekommst diese E-Mail, weil Fotos deines Kontos bei ${host} entfernt werden.`,
  },
  removed: {
    subject: (photos: number, count: string) =>
      photos === 1 ? '1 Foto wurde entfernt' : `${count} Fotos wurden entfernt`,
    preview: (when: string) => `Bis ${when} Uhr kannst du sie zurückholen.`,
    heading: (photos: number, count: string) =>
      photos === 1 ? 'Eines deiner Fotos wurde entfernt' : `${count} deiner Fotos wurden entfernt`,
    lead: (planName: string, limit: string, size: string) =>
      `Dein Tarif ${planName} enthält ${limit} Speicher. Die ältesten Fotos (${size}) wurden entfernt, damit die anderen passen.`,
    restore: (when: string) =>
      `Bis ${when} Uhr kannst du sie zurückholen: Wähle einen größeren Tarif, dann kommen sie von selbst wieder, oder schaff Platz und hol sie in den Einstellungen zurück. Danach werden sie gelöscht.`,
    reason: (host: string) => `Du bekommst diese E-Mail, weil Fotos deines Kontos bei ${host} entfernt wurden.`,
  },
}
