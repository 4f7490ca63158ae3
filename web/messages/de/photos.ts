import type * as english from '../en/photos.ts'

export const gallery: typeof english.gallery = {
  title: 'Galerie',
  count: (photos: number, written: string) => (photos === 1 ? '1 Foto' : `${written} Fotos, die neuesten zuerst`),
  upload: 'Fotos hochladen',
  empty: 'Noch keine Fotos. Lade welche hoch, dann geht es los!',
  received: 'Neues Foto ist da!',
  tile: (name: string, taken: string) => `${name}, ${taken}`,
  processing: (name: string) => `${name} wird verarbeitet`,
  failed: 'Fehler beim Verarbeiten',
  failedTile: (name: string) => `Fehler beim Verarbeiten: ${name}`,
  hidden: 'Für Gäste ausgeblendet',
  hiddenTile: (label: string) => `${label}, für Gäste ausgeblendet`,
  hiddenByOperator: 'Vom Betreiber ausgeblendet',
  hiddenByOperatorTile: (label: string) => `${label}, vom Betreiber dieser Website für Gäste ausgeblendet`,
  retry: 'Wiederholen',
  retryProcessing: (name: string) => `${name} noch einmal verarbeiten`,
  select: {
    start: 'Auswählen',
    stop: 'Fertig',
    label: 'Ausgewählte Fotos',
    toggle: (name: string) => `${name} auswählen`,
    count: (_: number, written: string) => `${written} ausgewählt`,
    progress: (done: string, of: string) => `${done} von ${of}`,
    evening: (day: string) => `Alle Fotos auswählen: ${day}`,
    eveningFailed: 'Die Fotos dieses Abends konnten nicht geladen werden. Bitte versuch es noch einmal.',
    hint: 'Wähle Fotos zum Herunterladen, Ausblenden oder Löschen.',
    download: 'Download',
    hide: 'Ausblenden',
    show: 'Zeigen',
    remove: 'Löschen',
  },
  search: {
    label: 'Nach Dateiname suchen',
    clear: 'Suche löschen',
    busy: 'Suche läuft…',
    found: (photos, written) => (photos === 1 ? '1 Foto gefunden' : `${written} Fotos gefunden`),
    none: (name) => `Kein Dateiname enthält „${name}“.`,
  },
  dates: {
    button: 'Zu einem Datum',
    months: 'Monate',
    date: 'Datum',
    go: 'Los',
    newest: 'Neueste Fotos',
    none: 'An diesem Datum oder davor gibt es keine Fotos.',
    failed: 'Die Liste der Tage konnte nicht geladen werden.',
  },
  errors: {
    load: 'Die Fotos konnten nicht geladen werden. Bitte versuch es später noch einmal.',
    remove: 'Das Foto konnte nicht gelöscht werden. Bitte versuch es später noch einmal.',
    removeSome: (photos: number) =>
      photos === 1
        ? 'Das Foto konnte nicht gelöscht werden. Bitte versuch es später noch einmal.'
        : `${photos} Fotos konnten nicht gelöscht werden. Bitte versuch es später noch einmal.`,
    retry: 'Dieses Foto konnte nicht noch einmal verarbeitet werden. Bitte lade es neu hoch.',
  },
  visibility: {
    hide: 'Für Gäste ausblenden',
    show: 'Wieder zeigen',
    undo: 'Rückgängig',
    hidden: (photos: number, written: string) =>
      photos === 1 ? 'Foto für Gäste ausgeblendet.' : `${written} Fotos für Gäste ausgeblendet.`,
    shown: (photos: number, written: string) =>
      photos === 1 ? 'Gäste können das Foto wieder öffnen.' : `Gäste können ${written} Fotos wieder öffnen.`,
    refused: (photos: number, written: string) =>
      photos === 1
        ? 'Der Betreiber dieser Website hat das Foto ausgeblendet, deshalb bleibt es ausgeblendet.'
        : `Der Betreiber dieser Website hat ${written} der Fotos ausgeblendet, deshalb bleiben sie ausgeblendet.`,
    missing: (photos: number, written: string) =>
      photos === 1 ? 'Das Foto gibt es nicht mehr.' : `${written} der Fotos gibt es nicht mehr.`,
    hideFailed: (photos: number) =>
      photos === 1
        ? 'Das Foto konnte nicht ausgeblendet werden. Bitte versuch es noch einmal.'
        : `${photos} Fotos konnten nicht ausgeblendet werden. Bitte versuch es noch einmal.`,
    showFailed: (photos: number) =>
      photos === 1
        ? 'Das Foto ist weiterhin ausgeblendet. Bitte versuch es noch einmal.'
        : `${photos} Fotos sind weiterhin ausgeblendet. Bitte versuch es noch einmal.`,
  },
  confirmDelete: {
    title: 'Foto löschen',
    question: 'Möchtest du dieses Foto wirklich löschen? Das lässt sich nicht rückgängig machen.',
    titleMany: (_: number, written: string) => `${written} Fotos löschen`,
    questionMany: (_: number, written: string) =>
      `Möchtest du diese ${written} Fotos wirklich löschen? Das lässt sich nicht rückgängig machen.`,
    confirm: 'Löschen',
  },
  deletion: {
    progress: (done: string, of: string) => `${done} von ${of} gelöscht`,
    leaving:
      'Bitte lass diese Seite offen: Wenn du sie verlässt, endet das Löschen. Bereits gelöschte Fotos bleiben gelöscht.',
    stop: 'Stopp',
    stopping: 'Wird angehalten…',
    waiting: 'Der Server ist nicht erreichbar. Das Löschen geht weiter, sobald die Verbindung wieder da ist.',
    stopped: 'Löschen angehalten',
    incomplete: 'Nicht alle Fotos wurden gelöscht',
    gone: (photos: number, written: string) =>
      photos === 1 ? '1 Foto wurde gelöscht.' : `${written} Fotos wurden gelöscht.`,
    left: (photos: number, written: string) =>
      photos === 1 ? '1 ist übrig und bleibt ausgewählt.' : `${written} sind übrig und bleiben ausgewählt.`,
    refused: (photos: number, written: string) =>
      photos === 1
        ? '1 Foto kann nicht gelöscht werden, weil der Betreiber dieser Website es ausgeblendet hat.'
        : `${written} Fotos können nicht gelöscht werden, weil der Betreiber dieser Website sie ausgeblendet hat.`,
    unknown: (photos: number, written: string) =>
      photos === 1
        ? 'Die Verbindung ging verloren. Ob 1 weiteres Foto gelöscht wurde, zeigt die Galerie, sobald die Verbindung wieder da ist.'
        : `Die Verbindung ging verloren. Ob ${written} weitere Fotos gelöscht wurden, zeigt die Galerie, sobald die Verbindung wieder da ist.`,
  },
  viewer: {
    label: 'Foto',
    position: (at: number, of: string) => `Foto ${at} von ${of}`,
    slides: {
      all: 'Fotos',
      kind: 'Karussell',
      one: 'Foto',
      position: (at: string, of: string) => `${at} von ${of}`,
    },
    previous: 'Vorheriges Foto',
    next: 'Nächstes Foto',
    remove: 'Foto löschen',
    close: 'Schließen',
    scan: 'Scannen und behalten',
    codeAlt: (name: string) => `QR-Code für ${name}`,
    downloadPhoto: 'Foto herunterladen',
    downloadCode: 'QR herunterladen',
    print: 'Aufsteller drucken',
    copyLink: 'Link kopieren',
    link: 'Link zum Foto',
    processing: 'Dein Foto wird verarbeitet',
    processingHint: 'Es erscheint hier von selbst.',
    failed: 'Fehler beim Verarbeiten',
    failedHint: 'Dein Foto konnte nicht verarbeitet werden. Bitte lade es noch einmal hoch.',
    deleted: 'Dieses Foto gibt es nicht mehr.',
    unreadable: 'Dieses Foto konnte nicht geladen werden.',
    hiddenHint: 'Gäste können es nicht sehen.',
    operator: {
      hid: (when: string) => `Der Betreiber dieser Website hat dieses Foto für Gäste ausgeblendet: ${when}.`,
      // Where the operator wrote no message.
      why: 'Ein Gast hatte es gemeldet, danach wurde es geprüft.',
      mistake: 'Ist das ein Irrtum?',
      support: 'Support kontaktieren',
      shows: (when: string) => `Der Betreiber dieser Website hat es wieder freigegeben: ${when}.`,
    },
  },
  archive: {
    evening: (date: string) => `Fotos herunterladen: ${date}`,
    preparing: 'Wird vorbereitet …',
    preparingHint: 'Die Fotos werden vorbereitet. Der Download beginnt von selbst; lass diese Seite bitte offen.',
    started: (size: string) => `Dein Download hat begonnen: eine ZIP-Datei mit ${size}.`,
    failed: 'Die Fotos konnten nicht heruntergeladen werden. Versuch es noch einmal.',
    tooMany: 'Lade höchstens 2.000 Fotos auf einmal herunter: Wähl weniger aus, oder lade Abend für Abend herunter.',
  },
}

export const upload: typeof english.upload = {
  title: 'Hochladen',
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
