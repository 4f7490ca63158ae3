import type * as english from '../en/photos.ts'

export const gallery: typeof english.gallery = {
  title: 'Galerij',
  count: (photos, written) => (photos === 1 ? '1 foto' : `${written} foto’s, de nieuwste eerst`),
  upload: 'Foto’s uploaden',
  empty: 'Nog geen foto’s. Upload er een paar om te beginnen!',
  received: 'Nieuwe foto binnen!',
  tile: (name, taken) => `${name}, ${taken}`,
  processing: (name) => `${name} wordt verwerkt`,
  failed: 'Verwerken mislukt',
  failedTile: (name) => `Verwerken mislukt: ${name}`,
  hidden: 'Verborgen voor gasten',
  hiddenTile: (label) => `${label}, verborgen voor gasten`,
  hiddenByOperator: 'Verborgen door de beheerder',
  hiddenByOperatorTile: (label) => `${label}, door de beheerder van deze site verborgen voor gasten`,
  retry: 'Opnieuw',
  retryProcessing: (name) => `${name} opnieuw verwerken`,
  select: {
    start: 'Selecteren',
    stop: 'Klaar',
    label: 'Geselecteerde foto’s',
    toggle: (name) => `${name} selecteren`,
    count: (photos, written) => (photos === 1 ? '1 geselecteerd' : `${written} geselecteerd`),
    progress: (done, of) => `${done} van ${of}`,
    evening: (day) => `Alle foto’s van ${day} selecteren`,
    eveningFailed: 'De foto’s van deze avond laden is niet gelukt. Probeer het opnieuw.',
    hint: 'Kies foto’s om te downloaden, te verbergen of te verwijderen.',
    download: 'Downloaden',
    hide: 'Verbergen',
    show: 'Tonen',
    remove: 'Verwijderen',
  },
  search: {
    label: 'Zoeken op bestandsnaam',
    clear: 'Zoekopdracht wissen',
    busy: 'Zoeken…',
    found: (photos, written) => (photos === 1 ? '1 foto gevonden' : `${written} foto’s gevonden`),
    none: (name) => `Geen enkele bestandsnaam bevat ‘${name}’.`,
  },
  dates: {
    button: 'Ga naar datum',
    months: 'Maanden',
    date: 'Datum',
    go: 'Ga',
    newest: 'Nieuwste foto’s',
    none: 'Er zijn geen foto’s op of vóór die datum.',
    failed: 'De datums konden niet worden geladen.',
  },
  errors: {
    load: 'Je foto’s laden is niet gelukt. Probeer het later opnieuw.',
    remove: 'De foto verwijderen is niet gelukt. Probeer het later opnieuw.',
    removeSome: (photos) =>
      photos === 1
        ? 'De foto verwijderen is niet gelukt. Probeer het later opnieuw.'
        : `${photos} foto’s verwijderen is niet gelukt. Probeer het later opnieuw.`,
    retry: 'Deze foto kon niet opnieuw worden verwerkt. Upload hem nog een keer.',
  },
  visibility: {
    hide: 'Verbergen voor gasten',
    show: 'Weer tonen',
    undo: 'Ongedaan maken',
    hidden: (photos, written) =>
      photos === 1 ? 'Foto verborgen voor gasten.' : `${written} foto’s verborgen voor gasten.`,
    shown: (photos, written) =>
      photos === 1 ? 'Gasten kunnen de foto weer openen.' : `Gasten kunnen ${written} foto’s weer openen.`,
    refused: (photos, written) =>
      photos === 1
        ? 'De beheerder van deze site heeft de foto verborgen, dus hij blijft verborgen.'
        : `De beheerder van deze site heeft ${written} van de foto’s verborgen, dus ze blijven verborgen.`,
    missing: (photos, written) =>
      photos === 1 ? 'De foto bestaat niet meer.' : `${written} van de foto’s bestaan niet meer.`,
    hideFailed: (photos) =>
      photos === 1
        ? 'De foto verbergen is niet gelukt. Probeer het opnieuw.'
        : `${photos} foto’s verbergen is niet gelukt. Probeer het opnieuw.`,
    showFailed: (photos) =>
      photos === 1
        ? 'De foto weer tonen is niet gelukt. Probeer het opnieuw.'
        : `${photos} foto’s weer tonen is niet gelukt. Probeer het opnieuw.`,
  },
  confirmDelete: {
    title: 'Foto verwijderen',
    question: 'Weet je zeker dat je deze foto wilt verwijderen? Dit kan niet ongedaan worden gemaakt.',
    titleMany: (_, written) => `${written} foto’s verwijderen`,
    questionMany: (_, written) =>
      `Weet je zeker dat je deze ${written} foto’s wilt verwijderen? Dit kan niet ongedaan worden gemaakt.`,
    confirm: 'Verwijderen',
  },
  deletion: {
    progress: (done, of) => `${done} van ${of} verwijderd`,
    leaving:
      'Laat deze pagina open: als je weggaat, stopt het verwijderen. Foto’s die al verwijderd zijn, blijven verwijderd.',
    stop: 'Stoppen',
    stopping: 'Bezig met stoppen…',
    waiting: 'De server is niet bereikbaar. Het verwijderen gaat verder zodra er weer verbinding is.',
    stopped: 'Verwijderen gestopt',
    incomplete: 'Niet alle foto’s zijn verwijderd',
    gone: (photos, written) => (photos === 1 ? 'Er is 1 foto verwijderd.' : `Er zijn ${written} foto’s verwijderd.`),
    left: (photos, written) =>
      photos === 1
        ? 'Er is er nog 1 over, die geselecteerd blijft.'
        : `Er zijn er nog ${written} over, die geselecteerd blijven.`,
    refused: (photos, written) =>
      photos === 1
        ? '1 foto kan niet worden verwijderd, omdat de beheerder van deze site hem heeft verborgen.'
        : `${written} foto’s kunnen niet worden verwijderd, omdat de beheerder van deze site ze heeft verborgen.`,
    unknown: (photos, written) =>
      photos === 1
        ? 'De verbinding viel weg, dus van nog 1 foto is niet bekend of hij is verwijderd. Je ziet het in de galerij zodra er weer verbinding is.'
        : `De verbinding viel weg, dus van nog ${written} foto’s is niet bekend of ze zijn verwijderd. Je ziet het in de galerij zodra er weer verbinding is.`,
  },
  viewer: {
    label: 'Foto',
    position: (at, of) => `Foto ${at} van ${of}`,
    // For screen readers.
    slides: {
      all: 'Foto’s',
      kind: 'carrousel',
      one: 'foto',
      position: (at, of) => `${at} van ${of}`,
    },
    previous: 'Vorige foto',
    next: 'Volgende foto',
    remove: 'Foto verwijderen',
    close: 'Sluiten',
    scan: 'Scan en bewaar',
    codeAlt: (name) => `QR-code van ${name}`,
    downloadPhoto: 'foto downloaden',
    downloadCode: 'QR downloaden',
    print: 'kaart afdrukken',
    copyLink: 'Link kopiëren',
    link: 'Link naar de foto',
    processing: 'Je foto wordt verwerkt',
    processingHint: 'Hij verschijnt hier vanzelf.',
    failed: 'Verwerken mislukt',
    failedHint: 'Er ging iets mis bij het verwerken van je foto. Upload hem opnieuw.',
    deleted: 'Deze foto bestaat niet meer.',
    unreadable: 'Deze foto kon niet worden geladen.',
    hiddenHint: 'Gasten kunnen hem niet zien.',
    operator: {
      hid: (when) => `De beheerder van deze site heeft deze foto op ${when} verborgen voor gasten.`,
      // Where the operator wrote no message.
      why: 'Een gast had de foto gemeld, en daarna is hij beoordeeld.',
      mistake: 'Denk je dat dit een vergissing is?',
      support: 'Contact opnemen',
      shows: (when) => `De beheerder van deze site heeft de foto op ${when} weer vrijgegeven.`,
    },
  },
  archive: {
    evening: (date: string) => `Foto’s downloaden: ${date}`,
    preparing: 'Voorbereiden…',
    preparingHint: 'De foto’s worden voorbereid. De download begint vanzelf; laat deze pagina open.',
    started: (size: string) => `Je download is begonnen: één ZIP-bestand van ${size}.`,
    failed: 'De foto’s konden niet gedownload worden. Probeer het opnieuw.',
    tooMany: 'Download hooguit 2.000 foto’s tegelijk: selecteer er minder, of download avond per avond.',
  },
}

export const upload: typeof english.upload = {
  title: 'Uploaden',
  lead: 'Elke foto krijgt een code en gaat meteen naar het grote scherm.',
  drop: {
    label: 'Foto’s kiezen',
    heading: 'Sleep je foto’s hierheen',
    hint: 'of plak ze, of kies ze op dit toestel',
    over: 'Laat los om ze toe te voegen',
    choose: 'Foto’s kiezen',
    camera: 'Foto maken',
    preparing: 'Je toestel maakt de foto’s klaar…',
    formats: 'JPG, PNG, GIF tot 10 MB',
    limit: (plan, size) => `Met je abonnement (${plan}) zijn bestanden tot ${size} toegestaan.`,
    hdr: 'HDR-foto’s worden zonder hun extra helderheid bewaard.',
  },
  sample: { line: 'Jouw foto, met code', meta: 'Even later al klaar' },
  singleUpload: {
    label: 'Je foto',
    previewAlt: (name) => `Voorbeeld van ${name}`,
    noPreview: (kind) => `${kind}: geen voorbeeld beschikbaar`,
    pixels: (width, height) => `${width} × ${height}`,
    remove: (name) => `${name} weghalen`,
    submit: 'Foto uploaden',
    sentBefore: (when) => `Je hebt dit bestand eerder geüpload, op ${when}.`,
    another: 'Een andere kiezen',
    sending: 'Bezig met uploaden',
    success: 'Je foto is geüpload!',
    processing: 'Je foto wordt verwerkt. Zodra hij klaar is, gaan we naar het grote scherm.',
    failedHeading: 'Verwerken mislukt!',
    failed: 'Je foto verwerken is niet gelukt. Probeer het opnieuw.',
    overlay: 'Verwerken mislukt',
    overlayHint: 'Er ging iets mis bij het verwerken van je foto. Upload hem opnieuw.',
    unknown: 'We kunnen deze foto nu niet volgen. Hij verschijnt op het grote scherm zodra hij klaar is.',
    latest: 'Naar het grote scherm',
  },
  queue: {
    heading: (photos) => (photos === 1 ? '1 foto' : `${photos} foto’s`),
    done: (photos) => `${photos} klaar`,
    inProgress: (photos) => `${photos} bezig`,
    needAttention: (photos) => (photos === 1 ? '1 vraagt aandacht' : `${photos} vragen aandacht`),
    overLimit: (photos) => (photos === 1 ? '1 wacht op ruimte' : `${photos} wachten op ruimte`),
    sentBeforeCount: (photos) => `${photos} eerder geüpload`,
    uploading: 'Bezig met uploaden',
    uploadingFile: (name) => `${name} uploaden`,
    total: (percent, sent, all) => `${percent} · ${sent} van ${all}`,
    timeLeft: (time) => ` · nog ongeveer ${time}`,
    seconds: (seconds) => (seconds === 1 ? '1 seconde' : `${seconds} seconden`),
    minutes: (minutes) => (minutes === 1 ? '1 minuut' : `${minutes} minuten`),
    waiting: (size) => `${size} · Wacht`,
    waitingForSlow:
      'Vóór deze foto staan veel bestanden waarvan de verwerking langer duurt. Hij wordt vanzelf geüpload.',
    waitingForRoom: (size) => `${size} · Wacht op ruimte in je abonnement`,
    sending: (size, percent) => `${size} · Uploaden · ${percent}`,
    processing: (size) => `${size} · Wordt verwerkt, code wordt gemaakt`,
    ready: (size) => `${size} · Klaar`,
    onScreen: (size) => `${size} · Op het grote scherm`,
    sentBefore: (size, when) => `${size} · Eerder geüpload, op ${when}`,
    listed: (size) => `${size} · Staat al in deze lijst`,
    failed: 'Je foto verwerken is niet gelukt. Probeer het opnieuw.',
    deleted: (size) => `${size} · Verwijderd`,
    codeAlt: (name) => `QR-code van ${name}`,
    screenLink: (name) => `${name} op het grote scherm`,
    galleryLink: (name) => `${name} in de galerij`,
    remove: (name) => `${name} weghalen`,
    retry: 'Opnieuw',
    retryFile: (name) => `${name} opnieuw proberen`,
    retryAll: 'Alles opnieuw',
    again: 'Opnieuw uploaden',
    fileAgain: (name) => `Opnieuw uploaden: ${name}`,
    allAgain: 'Alles opnieuw uploaden',
    clear: 'Voltooide weghalen',
    keepOpen: 'Houd dit tabblad open tot alles geüpload is. Andere pagina’s kun je intussen gewoon gebruiken.',
    tooLargeHint:
      'Bestanden die te groot zijn voor je abonnement, blijven in deze lijst staan. Na een upgrade worden ze vanzelf geüpload.',
    full: (most) => `Hooguit ${most} foto’s tegelijk. Voeg de rest toe als deze geüpload zijn.`,
  },
  pauses: {
    rateLimit: (wait, { photos, minutes, time }) =>
      `Nog ${wait} wachten: de limiet is ${photos} foto’s in ${minutes} minuten. Gaat verder om ${time}.`,
    busy: (wait) => `Nog ${wait} wachten: er worden andere foto’s van je account geüpload.`,
    unavailable: (wait) => `Nog ${wait} wachten: de server is even niet beschikbaar. Het gaat vanzelf verder.`,
    unreachable: 'De server is niet bereikbaar. De upload gaat verder zodra hij antwoordt.',
    offline: 'Je bent offline. De upload gaat verder als de verbinding terug is.',
    offlineStopped: 'Je bent offline. Upload de foto opnieuw als de verbinding terug is.',
  },
  unsent: {
    message: (unsent, total) =>
      total === 1
        ? '1 foto is niet geüpload: kies ze opnieuw.'
        : unsent === total
          ? `${total} foto’s zijn niet geüpload: kies ze opnieuw.`
          : `${unsent} van de ${total} foto’s ${unsent === 1 ? 'is' : 'zijn'} niet geüpload: kies ze opnieuw. Wat al aangekomen is, wordt overgeslagen.`,
    names: 'Toon welke',
    dismiss: 'Sluiten',
  },
  errors: {
    none: 'Kies een bestand om te uploaden.',
    failed: 'De foto uploaden is niet gelukt. Probeer het opnieuw.',
    noResponse: 'De server antwoordt niet. Controleer je verbinding.',
    serverUnavailable: 'De server is even niet beschikbaar. De upload gaat vanzelf verder.',
    unreadableFile: 'Dit bestand kan niet meer worden gelezen. Kies het opnieuw.',
    changedFile:
      'Dit bestand is tijdens het uploaden gewijzigd; de foto is de eerdere versie. Kies het opnieuw om het toe te voegen zoals het nu is.',
    signedOut: 'Je bent niet meer ingelogd. Log opnieuw in.',
    notImage: 'Dit bestand is geen foto. Kies een JPG, PNG, GIF, WebP, AVIF, TIFF of HEIC.',
    tooLarge: (size, most) =>
      `Dit bestand is ${size}. Met je abonnement zijn bestanden tot ${most} toegestaan. Maak het kleiner, bijvoorbeeld door het als JPG op te slaan, en probeer het opnieuw.`,
    tooLargeForProxy: (size) =>
      `Een proxy tussen dit toestel en de server weigert bestanden van ${size}. Probeer een kleiner bestand.`,
  },
}
