import type { gallery as english } from '../en/gallery.ts'

export const gallery: typeof english = {
  title: 'Galerie',
  heading: 'Galerie',
  count: (photos: number, written: string) => (photos === 1 ? '1 Foto' : `${written} Fotos, die neuesten zuerst`),
  upload: 'Fotos hochladen',
  empty: 'Noch keine Fotos. Lade welche hoch, dann geht es los!',
  received: 'Neues Foto ist da!',
  tile: (name: string, taken: string) => `${name}, ${taken}`,
  processing: (name: string) => `${name} wird verarbeitet`,
  failed: 'Fehler beim Verarbeiten',
  failedTile: (name: string) => `${name}: Fehler beim Verarbeiten`,
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
  /** Several photos as one ZIP file. */
  archive: {
    evening: (date: string) => `Fotos herunterladen: ${date}`,
    preparing: 'Wird vorbereitet …',
    preparingHint: 'Die Fotos werden vorbereitet. Der Download beginnt von selbst; lass diese Seite bitte offen.',
    started: (size: string) => `Dein Download hat begonnen: eine ZIP-Datei mit ${size}.`,
    failed: 'Die Fotos konnten nicht heruntergeladen werden. Versuch es noch einmal.',
    tooMany: 'Lade höchstens 2.000 Fotos auf einmal herunter: Wähl weniger aus, oder lade Abend für Abend herunter.',
  },
}
