import type { upload as english } from '../en/upload.ts'

export const upload: typeof english = {
  title: 'Hochladen',
  heading: 'Hochladen',
  lead: 'Jedes Foto bekommt seinen Code und erscheint gleich auf dem großen Bildschirm.',
  drop: {
    label: 'Fotos auswählen',
    heading: 'Fotos hierher ziehen',
    hint: 'oder einfügen, oder auf diesem Gerät auswählen',
    over: 'Jetzt loslassen',
    choose: 'Fotos auswählen',
    camera: 'Foto aufnehmen',
    preparing: 'Dein Gerät bereitet die Fotos vor …',
    formats: 'JPG, PNG, GIF bis 10 MB',
    limit: (plan: string, size: string) => `In deinem Tarif (${plan}) sind Dateien bis ${size} möglich.`,
    hdr: 'HDR-Fotos werden ohne ihre zusätzliche Helligkeit gespeichert.',
  },
  sample: { line: 'Dein Foto mit seinem Code', meta: 'Kurz nach dem Hochladen fertig' },
  singleUpload: {
    label: 'Dein Foto',
    previewAlt: (name: string) => `Vorschau von ${name}`,
    noPreview: (kind: string) => `${kind}: keine Vorschau verfügbar`,
    pixels: (width: string, height: string) => `${width} × ${height}`,
    remove: (name: string) => `${name} entfernen`,
    submit: 'Foto hochladen',
    sentBefore: (when: string) => `Diese Datei hast du schon am ${when} hochgeladen.`,
    another: 'Anderes Foto wählen',
    sending: 'Wird hochgeladen',
    success: 'Foto hochgeladen!',
    processing: 'Dein Foto wird verarbeitet. Sobald es fertig ist, kommst du zum großen Bildschirm.',
    failedHeading: 'Fehler beim Verarbeiten!',
    failed: 'Das Foto konnte nicht verarbeitet werden. Bitte versuch es noch einmal.',
    overlay: 'Fehler beim Verarbeiten',
    overlayHint: 'Dein Foto konnte nicht verarbeitet werden. Bitte lade es noch einmal hoch.',
    unknown:
      'Wie weit dieses Foto ist, können wir gerade nicht sehen. Sobald es fertig ist, erscheint es auf dem großen Bildschirm.',
    latest: 'Zum großen Bildschirm',
  },
  queue: {
    heading: (photos: number) => (photos === 1 ? '1 Foto' : `${photos} Fotos`),
    done: (photos: number) => `${photos} fertig`,
    inProgress: (photos: number) => `${photos} in Arbeit`,
    needAttention: (photos: number) => (photos === 1 ? '1 mit Problem' : `${photos} mit Problemen`),
    overLimit: (photos: number) => `${photos} über dem Limit`,
    sentBeforeCount: (photos: number) => `${photos} schon hochgeladen`,
    uploading: 'Wird hochgeladen',
    uploadingFile: (name: string) => `${name} wird hochgeladen`,
    total: (percent: string, sent: string, all: string) => `${percent} · ${sent} von ${all}`,
    timeLeft: (time: string) => ` · noch etwa ${time}`,
    seconds: (seconds: number) => (seconds === 1 ? '1 Sekunde' : `${seconds} Sekunden`),
    minutes: (minutes: number) => (minutes === 1 ? '1 Minute' : `${minutes} Minuten`),
    waiting: (size: string) => `${size} · Wartet`,
    waitingForSlow:
      'Davor kommen noch viele Dateien, deren Verarbeitung lange dauert. Diese hier wird von selbst hochgeladen.',
    waitingForRoom: (size: string) => `${size} · Wartet auf Platz in deinem Tarif`,
    sending: (size: string, percent: string) => `${size} · Wird hochgeladen · ${percent}`,
    processing: (size: string) => `${size} · Wird verarbeitet und bekommt seinen Code`,
    ready: (size: string) => `${size} · Fertig`,
    onScreen: (size: string) => `${size} · Auf dem großen Bildschirm`,
    sentBefore: (size: string, when: string) => `${size} · Schon hochgeladen am ${when}`,
    listed: (size: string) => `${size} · Schon in dieser Liste`,
    failed: 'Das Foto konnte nicht verarbeitet werden. Bitte versuch es noch einmal.',
    deleted: (size: string) => `${size} · Gelöscht`,
    codeAlt: (name: string) => `QR-Code für ${name}`,
    screenLink: (name: string) => `${name} auf dem großen Bildschirm`,
    galleryLink: (name: string) => `${name} in der Galerie`,
    remove: (name: string) => `${name} entfernen`,
    retry: 'Wiederholen',
    retryFile: (name: string) => `${name} noch einmal versuchen`,
    retryAll: 'Alle wiederholen',
    again: 'Erneut hochladen',
    fileAgain: (name: string) => `Erneut hochladen: ${name}`,
    allAgain: 'Alle erneut hochladen',
    clear: 'Fertige entfernen',
    keepOpen:
      'Lass diesen Tab offen, bis alles hochgeladen ist. Du kannst währenddessen andere Seiten der App benutzen.',
    tooLargeHint:
      'Dateien, die für deinen Tarif zu groß sind, bleiben in dieser Liste. Mit einem größeren Tarif werden sie von selbst hochgeladen.',
    full: (most: number) => `Höchstens ${most} Fotos auf einmal. Füge die übrigen hinzu, wenn diese hochgeladen sind.`,
  },
  pauses: {
    rateLimit: (wait, { photos, minutes, time }) =>
      `Noch ${wait} Pause: Das Limit sind ${photos} Fotos in ${minutes} Minuten. Weiter geht es um ${time}.`,
    busy: (wait) => `Noch ${wait} Pause: Andere Fotos deines Kontos werden gerade hochgeladen.`,
    unavailable: (wait) => `Noch ${wait} Pause: Der Server ist gerade nicht verfügbar. Es geht automatisch weiter.`,
    unreachable: 'Der Server ist nicht erreichbar. Das Hochladen geht weiter, sobald er antwortet.',
    offline: 'Du bist offline. Das Hochladen geht weiter, wenn die Verbindung zurück ist.',
    offlineStopped: 'Du bist offline. Lade das Foto noch einmal hoch, wenn die Verbindung zurück ist.',
  },
  unsent: {
    message: (unsent, total) =>
      total === 1
        ? '1 Foto wurde nicht hochgeladen: Wähle es noch einmal aus.'
        : unsent === total
          ? `${total} Fotos wurden nicht hochgeladen: Wähle sie noch einmal aus.`
          : `${unsent} von ${total} Fotos wurde${unsent === 1 ? '' : 'n'} nicht hochgeladen: Wähle sie noch einmal aus. Was schon angekommen ist, wird übersprungen.`,
    names: 'Zeigen, welche',
    dismiss: 'Schließen',
  },
  errors: {
    none: 'Bitte wähle eine Datei zum Hochladen.',
    failed: 'Das Foto konnte nicht hochgeladen werden. Bitte versuch es noch einmal.',
    noResponse: 'Der Server antwortet nicht. Prüfe deine Verbindung.',
    serverUnavailable: 'Der Server ist gerade nicht verfügbar. Das Hochladen geht automatisch weiter.',
    unreadableFile: 'Diese Datei kann nicht mehr gelesen werden. Bitte wähle sie noch einmal aus.',
    changedFile:
      'Diese Datei wurde während des Hochladens geändert; das Foto ist die frühere Version. Wähle sie noch einmal aus, um sie so hinzuzufügen, wie sie jetzt ist.',
    signedOut: 'Du bist nicht mehr angemeldet. Bitte melde dich wieder an.',
    notImage: 'Diese Datei ist kein Foto. Wähle JPG, PNG, GIF, WebP, AVIF, TIFF oder HEIC.',
    tooLarge: (size: string, most: string) =>
      `Diese Datei ist ${size} groß. In deinem Tarif sind Dateien bis ${most} möglich. Verkleinere sie, zum Beispiel indem du sie als JPG speicherst, und versuch es noch einmal.`,
    tooLargeForProxy: (size: string) =>
      `Ein Proxy zwischen diesem Gerät und dem Server lehnt Dateien von ${size} ab. Versuch es mit einer kleineren Datei.`,
  },
}
