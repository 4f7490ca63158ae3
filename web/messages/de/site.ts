import { productName } from '@keepsnap/contract/site.ts'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import type * as english from '../en/site.ts'

export const about: typeof english.about = {
  title: 'Über uns',
  description: `Wofür ${productName} da ist, wie es funktioniert und wer dahintersteht.`,
  heading: 'Das beste Foto des Abends darf nicht in der Kamera bleiben',
  lead: `${productName} bringt das Bild zu den Menschen, die darauf sind, während die Musik noch spielt: auf den großen Bildschirm, mit einem Code daneben, und einen Moment später auf das eigene Handy.`,
  print: { line: 'Es ist angerichtet', code: 'QR-Code dieses Beispielbilds' },
  mission: {
    heading: 'Unser Ziel',
    paragraphs: [
      'Wochen nach einem Fest kommt ein Link mit Hunderten von Bildern, und kaum jemand sucht noch sein eigenes. Wir finden: Am meisten wert ist ein Foto in der Stunde, in der es entsteht, für die Menschen, die darauf sind.',
      'Deshalb machen wir eine Sache und halten sie einfach: ein Foto, sein Code und nichts zwischen dem Gast und dem Bild. Keine App und kein Konto. Wenn jemand beim Fotografieren nach einer E-Mail-Adresse fragt, wird sie verwendet, um dieses Foto zu senden, und für nichts anderes.',
    ],
  },
  how: {
    heading: 'So funktioniert es',
    take: {
      title: 'Aufnehmen',
      text: 'Das Foto wird von einer Kamera, einer Fotobox oder einem Handy hochgeladen.',
    },
    show: {
      title: 'Zeigen',
      text: 'Sobald es fertig ist, füllt es den großen Bildschirm, mit seinem eigenen Code daneben.',
    },
    keep: {
      title: 'Behalten',
      text: 'Gäste scannen den Code und speichern das Bild in voller Auflösung. Oder sie hinterlassen eine E-Mail-Adresse und finden es im Posteingang.',
    },
    scan: 'Scannen, behalten',
    save: 'Speichern',
  },
  team: {
    heading: 'Das Team',
    operator: 'Betreiber dieser Website',
    sample: 'Das sind Beispielwerte: Der Betreiber dieser Website hat noch keinen Namen und keine Adresse eingetragen.',
    failed: 'Der Betreiber dieser Website konnte nicht geladen werden.',
    open: 'Das Programm selbst ist Open Source, unter der GNU Affero General Public License: Jeder darf es lesen, verändern und betreiben.',
  },
  end: {
    heading: 'Nimm es mit auf dein nächstes Fest',
    start: 'Loslegen',
    upload: 'Fotos hochladen',
    support: 'Schreib uns',
  },
}

export const cookies: typeof english.cookies = {
  title: 'Cookie-Hinweis',
  essential: `${productName} speichert deine Anmeldung, deine Anzeige-Einstellungen und diese Auswahl auf deinem Gerät. Ohne sie funktioniert die Website nicht.`,
  permission: 'Mit deiner Erlaubnis zählen wir auch Besuche.',
  noAnalytics: 'Auf dieser Website ist keine Statistik eingerichtet, es wird also so oder so nichts gezählt.',
  more: 'Datenschutz',
  customize: 'Anpassen',
  essentialOnly: 'Nur notwendige',
  acceptAll: 'Alle akzeptieren',
  choices: 'Was verwendet werden darf',
  essentialName: 'Notwendig',
  essentialHint: 'Immer an. Deine Anmeldung, deine Anzeige-Einstellungen und diese Auswahl.',
  analyticsName: 'Statistik',
  analyticsHint: (provider, host) =>
    `Zählt Besuche von Seiten mit ${provider} auf ${host}, ohne Cookies und ohne deinen Namen oder deine Fotos. So sehen wir, was schwer zu finden ist. Keine Werbung.`,
  analyticsUnknown: 'Zählt Besuche von Seiten, wenn auf dieser Website eine Statistik eingerichtet ist. Keine Werbung.',
  save: 'Auswahl speichern',
  close: 'Schließen',
}

export const home: typeof english.home = {
  title: 'Ein QR-Code für jedes Foto',
  heading: 'Ein Foto auf dem Bildschirm, ein Scan\u00a0– und deine Gäste nehmen es mit.',
  lead: `${productName} zeigt jedes Bild, das du machst, mit einem eigenen QR-Code. Deine Gäste halten ihr Handy davor und haben das Foto in Sekunden. Ohne App, ohne Konto.`,
  getStarted: 'Loslegen',
  seeMore: 'Zum großen Bildschirm',
  welcome: 'Willkommen',
  welcomeFirst: 'Willkommen,',
  welcomeBack: 'Willkommen zurück,',
  welcomeLead: 'Lade ein Foto hoch, und gleich darauf steht sein Code auf dem Bildschirm.',
  firstPhotoLead: 'Dein nächster Schritt: Lade ein Foto hoch. Gleich darauf ist sein Code fertig.',
  firstScreenLead:
    'Dein erstes Foto ist da. Dein nächster Schritt: Öffne es auf dem großen Bildschirm, wo deine Gäste den Code scannen.',
  unconfirmed: 'Deine E-Mail-Adresse ist noch nicht bestätigt.',
  unconfirmedAction: 'So bestätigst du sie',
  uploadPhotos: 'Fotos hochladen',
  openLatest: 'Zum großen Bildschirm',
  pauseExample: 'Beispiel anhalten',
  playExample: 'Beispiel abspielen',
  scanLine: 'Scannen und Foto behalten',
  codeAlt: 'QR-Code des Beispielfotos',
  tilesHeading: 'Vom Auslöser in die Hosentasche',
  tiles: {
    bigScreen: {
      title: 'Ein großer Bildschirm, der Schritt hält',
      text: 'Das neueste Foto erscheint von selbst, so groß, wie der Bildschirm es erlaubt, und der Code steht immer an derselben Stelle.',
      line: 'Scannen und behalten',
    },
    pocket: {
      title: 'In Sekunden auf dem Handy',
      text: 'Der Code öffnet das Foto mit einem großen Knopf, der es auf dem Handy speichert.',
      button: 'Foto speichern',
    },
    mail: {
      title: 'Oder per E-Mail',
      text: 'Wenn du willst, fragst du zuerst nach einer E-Mail-Adresse. Du siehst jede Anfrage und ob das Foto verschickt wurde.',
      label: 'Deine E-Mail-Adresse',
      button: 'Foto senden',
    },
    brand: {
      title: 'Mit deinem Namen',
      text: `Dein Logo in der Ecke, dein Hintergrund auf dem Bildschirm. ${productName} hält sich aus dem Bild heraus.`,
    },
    gallery: {
      title: 'Der ganze Abend an einem Ort',
      text: 'Alle Fotos, die neuesten zuerst, in einer Galerie, die auch bei Tausenden flott bleibt.',
    },
    booth: {
      title: 'Direkt aus der Fotobox',
      text: 'Lass Kamera oder Fotobox für dich hochladen und behalte dein Monatskontingent im Blick.',
      usage: 'Fotos im Monat',
      used: (photos: number, most: number) => `${photos} von ${most}`,
    },
  },
}

/** Rund um die Texte der Datenschutzerklärung und der AGB, die in web/features/site/legal stehen. */
export const legal: typeof english.legal = {
  contents: 'Auf dieser Seite',
  short: 'Kurz gesagt',
  print: 'Drucken',
  current: (date) => `In Kraft seit ${date}`,
  earlier: (from, until) => `In Kraft von ${from} bis ${until}`,
  announced: (date) => `In Kraft ab ${date}`,
  notes: {
    sample: 'Mustertext, keine Rechtsberatung',
    sampleWhy: 'Das Unternehmen hinter dieser Website hat seinen Namen und seine Adresse noch nicht eingetragen.',
    earlier:
      'Dies ist eine frühere Fassung, die nicht mehr gilt. Namen, Adressen und Dienste darin sind die der heutigen Einstellungen dieser Website.',
    announced: 'Diese Fassung gilt noch nicht.',
    unknown: 'Zu diesem Datum gibt es keine Fassung. Dies ist die geltende.',
    next: (date) => `Ab ${date} gilt eine neue Fassung.`,
    toCurrent: 'Die geltende Fassung zeigen',
    toNext: 'Die neue Fassung zeigen',
  },
  versions: 'Fassungen',
  first: 'Erste Fassung',
  loading: 'Der Text wird geladen',
  failed: 'Der Text konnte nicht geladen werden. Prüfe deine Verbindung und versuch es noch einmal.',
}

const { max_photos: freePhotos } = plans.free.features
const { refundDays } = billingLimits

export const pageDescriptions: typeof english.pageDescriptions = {
  app: 'Fotos teilen, mit einem QR-Code zu jedem Bild.',
  previewLine: 'Scannen und ausprobieren',
  home: `${productName} zeigt jedes Foto, das du machst, mit eigenem QR-Code auf dem großen Bildschirm. Gäste scannen ihn und haben das Foto in Sekunden: ohne App, ohne Konto.`,
  pricing: `Kostenlos starten mit ${freePhotos} Fotos im Monat. Pro bringt dein Logo, Statistiken und bevorzugten Support, ${plans.pro_yearly.name} auch den API-Zugang. Keine Einrichtungsgebühr, Geld zurück innerhalb von ${refundDays} Tagen.`,
  demoScreen:
    'Sieh, was deine Gäste sehen: das neueste Foto auf dem großen Bildschirm, mit einem QR-Code, den du gleich scannen kannst.',
  login: 'Melde dich an, um Fotos hochzuladen und mit ihrem QR-Code zu zeigen.',
  register: `Erstelle ein kostenloses Konto mit ${freePhotos} Fotos im Monat. Lade ein Foto hoch, und Gäste scannen den QR-Code, um es zu behalten.`,
  forgotPassword: 'Passwort vergessen? Wir schicken dir einen Link, mit dem du ein neues festlegst.',
  apiDocs: `Fotos aus deinem eigenen Programm hochladen und auflisten: jeder Aufruf der API von ${productName}, mit Beispielen in curl und TypeScript, Limits, Fehlern und Webhooks.`,
  privacy: `Welche Daten ${productName} über Nutzer und Gäste speichert, warum, wie lange, und welche Rechte du hast.`,
  terms: `Die Bedingungen für ${productName}: Tarife, Zahlung, Kündigung, deine Fotos und unsere Verantwortung.`,
}
