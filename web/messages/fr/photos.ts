import type * as english from '../en/photos.ts'

export const gallery: typeof english.gallery = {
  title: 'Galerie',
  count: (photos, written) => (photos < 2 ? `${written} photo` : `${written} photos, les plus récentes d’abord`),
  upload: 'Ajouter des photos',
  empty: 'Pas encore de photos. Ajoutez-en pour commencer !',
  received: 'Nouvelle photo reçue !',
  tile: (name, taken) => `${name}, ${taken}`,
  processing: (name) => `${name} est en cours de traitement`,
  failed: 'Échec du traitement',
  failedTile: (name) => `Échec du traitement : ${name}`,
  hidden: 'Masquée aux invités',
  hiddenTile: (label) => `${label}, masquée aux invités`,
  hiddenByOperator: 'Masquée par l’exploitant',
  hiddenByOperatorTile: (label) => `${label}, masquée aux invités par l’exploitant de ce site`,
  retry: 'Réessayer',
  retryProcessing: (name) => `Réessayer : ${name}`,
  select: {
    start: 'Sélectionner',
    stop: 'Terminé',
    label: 'Photos sélectionnées',
    toggle: (name) => `Sélectionner ${name}`,
    count: (photos, written) => (photos < 2 ? `${written} sélectionnée` : `${written} sélectionnées`),
    progress: (done, of) => `${done} sur ${of}`,
    evening: (day) => `Sélectionner toutes les photos du ${day}`,
    eveningFailed: 'Les photos de cette soirée n’ont pas pu être chargées. Veuillez réessayer.',
    hint: 'Choisissez les photos à télécharger, masquer ou supprimer.',
    download: 'Télécharger',
    hide: 'Masquer',
    show: 'Afficher',
    remove: 'Supprimer',
  },
  search: {
    label: 'Rechercher par nom de fichier',
    clear: 'Effacer la recherche',
    busy: 'Recherche…',
    found: (photos, written) => (photos === 1 ? '1 photo trouvée' : `${written} photos trouvées`),
    none: (name) => `Aucun nom de fichier ne contient « ${name} ».`,
  },
  dates: {
    button: 'Aller à une date',
    months: 'Mois',
    date: 'Date',
    go: 'Aller',
    newest: 'Photos les plus récentes',
    none: 'Il n’y a aucune photo à cette date ni avant.',
    failed: 'Les dates n’ont pas pu être chargées.',
  },
  errors: {
    load: 'Les photos n’ont pas pu être chargées. Veuillez réessayer plus tard.',
    remove: 'La photo n’a pas pu être supprimée. Veuillez réessayer plus tard.',
    removeSome: (photos) =>
      photos < 2
        ? 'La photo n’a pas pu être supprimée. Veuillez réessayer plus tard.'
        : `${photos} photos n’ont pas pu être supprimées. Veuillez réessayer plus tard.`,
    retry: 'Cette photo n’a pas pu être traitée à nouveau. Ajoutez-la une nouvelle fois.',
  },
  visibility: {
    hide: 'Masquer aux invités',
    show: 'Afficher à nouveau',
    undo: 'Annuler',
    hidden: (photos, written) =>
      photos < 2 ? 'Photo masquée aux invités.' : `${written} photos masquées aux invités.`,
    shown: (photos, written) =>
      photos < 2
        ? 'Les invités peuvent à nouveau ouvrir la photo.'
        : `Les invités peuvent à nouveau ouvrir ${written} photos.`,
    refused: (photos, written) =>
      photos < 2
        ? 'L’exploitant de ce site a masqué la photo : elle reste masquée.'
        : `L’exploitant de ce site a masqué ${written} de ces photos : elles restent masquées.`,
    missing: (photos, written) =>
      photos < 2 ? 'La photo n’existe plus.' : `${written} de ces photos n’existent plus.`,
    hideFailed: (photos) =>
      photos < 2
        ? 'La photo n’a pas pu être masquée. Veuillez réessayer.'
        : `${photos} photos n’ont pas pu être masquées. Veuillez réessayer.`,
    showFailed: (photos) =>
      photos < 2
        ? 'La photo n’a pas pu être réaffichée. Veuillez réessayer.'
        : `${photos} photos n’ont pas pu être réaffichées. Veuillez réessayer.`,
  },
  confirmDelete: {
    title: 'Supprimer la photo',
    question: 'Voulez-vous vraiment supprimer cette photo ? Cette action est irréversible.',
    titleMany: (_, written) => `Supprimer ${written} photos`,
    questionMany: (_, written) =>
      `Voulez-vous vraiment supprimer ces ${written} photos ? Cette action est irréversible.`,
    confirm: 'Supprimer',
  },
  deletion: {
    progress: (done, of) => `Suppression : ${done} sur ${of}`,
    leaving: 'Gardez cette page ouverte : la quitter arrête la suppression. Les photos déjà supprimées le restent.',
    stop: 'Arrêter',
    stopping: 'Arrêt en cours…',
    waiting: 'Le serveur est injoignable. La suppression reprendra dès que la connexion sera rétablie.',
    stopped: 'Suppression arrêtée',
    incomplete: 'Toutes les photos n’ont pas été supprimées',
    gone: (photos, written) =>
      photos < 2 ? `${written} photo a été supprimée.` : `${written} photos ont été supprimées.`,
    left: (photos, written) =>
      photos < 2 ? 'Il en reste 1, toujours sélectionnée.' : `Il en reste ${written}, toujours sélectionnées.`,
    refused: (photos, written) =>
      photos < 2
        ? '1 photo ne peut pas être supprimée, car l’exploitant de ce site l’a masquée.'
        : `${written} photos ne peuvent pas être supprimées, car l’exploitant de ce site les a masquées.`,
    unknown: (photos, written) =>
      photos < 2
        ? 'La connexion a été perdue : on ne sait pas si 1 autre photo a été supprimée. La galerie le montrera dès que la connexion sera rétablie.'
        : `La connexion a été perdue : on ne sait pas si ${written} autres photos ont été supprimées. La galerie le montrera dès que la connexion sera rétablie.`,
  },
  viewer: {
    label: 'Photo',
    position: (at, of) => `Photo ${at} sur ${of}`,
    // For screen readers.
    slides: {
      all: 'Photos',
      kind: 'carrousel',
      one: 'photo',
      position: (at, of) => `${at} sur ${of}`,
    },
    previous: 'Photo précédente',
    next: 'Photo suivante',
    remove: 'Supprimer la photo',
    close: 'Fermer',
    scan: 'Scannez pour garder',
    codeAlt: (name) => `Code QR de ${name}`,
    downloadPhoto: 'télécharger la photo',
    downloadCode: 'télécharger le QR',
    print: 'imprimer une carte',
    copyLink: 'Copier le lien',
    link: 'Lien vers la photo',
    processing: 'Traitement de votre photo',
    processingHint: 'Elle s’affichera ici toute seule.',
    failed: 'Échec du traitement',
    failedHint: 'Une erreur s’est produite pendant le traitement. Essayez d’ajouter à nouveau la photo.',
    deleted: 'Cette photo n’existe plus.',
    unreadable: 'Cette photo n’a pas pu être chargée.',
    hiddenHint: 'Les invités ne la voient pas.',
    operator: {
      hid: (when) => `L’exploitant de ce site a masqué cette photo aux invités le ${when}.`,
      // Where the operator wrote no message.
      why: 'Un invité l’avait signalée, puis elle a été examinée.',
      mistake: 'Vous pensez qu’il s’agit d’une erreur ?',
      support: 'Contacter l’assistance',
      shows: (when) => `L’exploitant de ce site l’a de nouveau autorisée le ${when}.`,
    },
  },
  archive: {
    evening: (date: string) => `Télécharger les photos : ${date}`,
    preparing: 'Préparation…',
    preparingHint:
      'Les photos sont en cours de préparation. Le téléchargement commencera de lui-même ; laissez cette page ouverte.',
    started: (size: string) => `Votre téléchargement a commencé : un fichier ZIP de ${size}.`,
    failed: 'Les photos n’ont pas pu être téléchargées. Veuillez réessayer.',
    tooMany: 'Téléchargez 2 000 photos au maximum à la fois : sélectionnez-en moins, ou téléchargez soirée par soirée.',
  },
}

export const upload: typeof english.upload = {
  title: 'Ajouter des photos',
  lead: 'Chaque photo reçoit son code et s’affiche aussitôt sur le grand écran.',
  drop: {
    label: 'Choisir des photos',
    heading: 'Déposez vos photos ici',
    hint: 'ou collez-les, ou choisissez-les sur cet appareil',
    over: 'Lâchez pour les ajouter',
    choose: 'Choisir des photos',
    camera: 'Prendre une photo',
    preparing: 'Votre appareil prépare les photos…',
    formats: 'JPG, PNG, GIF jusqu’à 10 Mo',
    limit: (plan, size) => `Votre formule (${plan}) accepte des fichiers jusqu’à ${size}.`,
    hdr: 'Les photos HDR sont enregistrées sans leur surcroît de luminosité.',
  },
  sample: { line: 'Votre photo, avec son code', meta: 'Prête en un instant' },
  singleUpload: {
    label: 'Votre photo',
    previewAlt: (name) => `Aperçu de ${name}`,
    noPreview: (kind) => `${kind} : pas d’aperçu disponible`,
    pixels: (width, height) => `${width} × ${height}`,
    remove: (name) => `Retirer ${name}`,
    submit: 'Envoyer la photo',
    sentBefore: (when) => `Vous avez déjà envoyé ce fichier le ${when}.`,
    another: 'En choisir une autre',
    sending: 'Envoi en cours',
    success: 'Photo envoyée !',
    processing: 'Traitement de votre photo. Le grand écran s’ouvrira dès qu’elle sera prête.',
    failedHeading: 'Échec du traitement !',
    failed: 'Le traitement de la photo a échoué. Veuillez réessayer.',
    overlay: 'Échec du traitement',
    overlayHint: 'Une erreur s’est produite pendant le traitement. Essayez d’ajouter à nouveau la photo.',
    unknown:
      'Nous ne pouvons pas suivre cette photo pour le moment. Elle apparaîtra sur le grand écran quand elle sera prête.',
    latest: 'Aller au grand écran',
  },
  queue: {
    heading: (photos) => (photos < 2 ? `${photos} photo` : `${photos} photos`),
    done: (photos) => (photos < 2 ? `${photos} terminée` : `${photos} terminées`),
    inProgress: (photos) => `${photos} en cours`,
    needAttention: (photos) => `${photos} à revoir`,
    overLimit: (photos) => `${photos} au-delà de votre formule`,
    sentBeforeCount: (photos) => (photos < 2 ? `${photos} déjà envoyée` : `${photos} déjà envoyées`),
    uploading: 'Envoi en cours',
    uploadingFile: (name) => `Envoi de ${name}`,
    total: (percent, sent, all) => `${percent} · ${sent} sur ${all}`,
    timeLeft: (time) => ` · encore ${time} environ`,
    seconds: (seconds) => (seconds < 2 ? `${seconds} seconde` : `${seconds} secondes`),
    minutes: (minutes) => (minutes < 2 ? `${minutes} minute` : `${minutes} minutes`),
    waiting: (size) => `${size} · En attente`,
    waitingForSlow: 'Beaucoup de fichiers longs à traiter passent avant celui-ci. Il sera envoyé automatiquement.',
    waitingForRoom: (size) => `${size} · En attente de place dans votre formule`,
    sending: (size, percent) => `${size} · Envoi · ${percent}`,
    processing: (size) => `${size} · Traitement et création du code`,
    ready: (size) => `${size} · Prête`,
    onScreen: (size) => `${size} · Sur le grand écran`,
    sentBefore: (size, when) => `${size} · Déjà envoyée le ${when}`,
    listed: (size) => `${size} · Déjà dans cette liste`,
    failed: 'Le traitement de la photo a échoué. Veuillez réessayer.',
    deleted: (size) => `${size} · Supprimée`,
    codeAlt: (name) => `Code QR de ${name}`,
    screenLink: (name) => `${name} sur le grand écran`,
    galleryLink: (name) => `${name} dans la galerie`,
    remove: (name) => `Retirer ${name}`,
    retry: 'Réessayer',
    retryFile: (name) => `Réessayer : ${name}`,
    retryAll: 'Tout réessayer',
    again: 'Envoyer à nouveau',
    fileAgain: (name) => `Envoyer à nouveau : ${name}`,
    allAgain: 'Tout envoyer à nouveau',
    clear: 'Retirer les terminées',
    keepOpen:
      'Gardez cet onglet ouvert jusqu’à la fin des envois. Vous pouvez utiliser d’autres pages pendant ce temps.',
    tooLargeHint:
      'Les fichiers trop volumineux pour votre formule restent dans cette liste et partiront d’eux-mêmes avec une formule supérieure.',
    full: (most) => `${most} photos au plus à la fois. Ajoutez les autres quand celles-ci seront envoyées.`,
  },
  pauses: {
    rateLimit: (wait, { photos, minutes, time }) =>
      `Attente de ${wait} : la limite est de ${photos} photos en ${minutes} minutes. L’envoi reprend à ${time}.`,
    busy: (wait) => `Attente de ${wait} : d’autres photos de votre compte sont en cours d’envoi.`,
    unavailable: (wait) =>
      `Attente de ${wait} : le serveur n’est pas disponible pour le moment. L’envoi reprendra automatiquement.`,
    unreachable: 'Le serveur est injoignable. L’envoi reprendra dès qu’il répondra.',
    offline: 'Vous êtes hors ligne. L’envoi reprendra au retour de la connexion.',
    offlineStopped: 'Vous êtes hors ligne. Envoyez la photo à nouveau au retour de la connexion.',
  },
  unsent: {
    message: (unsent, total) =>
      total === 1
        ? '1 photo n’a pas été envoyée : choisissez-la à nouveau.'
        : unsent === total
          ? `${total} photos n’ont pas été envoyées : choisissez-les à nouveau.`
          : unsent === 1
            ? `1 photo sur ${total} n’a pas été envoyée : choisissez-la à nouveau. Celles qui sont arrivées ne seront pas renvoyées.`
            : `${unsent} photos sur ${total} n’ont pas été envoyées : choisissez-les à nouveau. Celles qui sont arrivées ne seront pas renvoyées.`,
    names: 'Voir lesquelles',
    dismiss: 'Fermer',
  },
  errors: {
    none: 'Veuillez choisir un fichier à envoyer.',
    failed: 'La photo n’a pas pu être envoyée. Veuillez réessayer.',
    noResponse: 'Le serveur ne répond pas. Vérifiez votre connexion.',
    serverUnavailable: 'Le serveur n’est pas disponible pour le moment. L’envoi reprendra automatiquement.',
    unreadableFile: 'Ce fichier n’est plus lisible. Veuillez le choisir à nouveau.',
    changedFile:
      'Ce fichier a été modifié pendant l’envoi ; la photo est la version précédente. Choisissez-le à nouveau pour l’ajouter tel qu’il est maintenant.',
    signedOut: 'Votre session est terminée. Reconnectez-vous.',
    notImage: 'Ce fichier n’est pas une photo. Choisissez un fichier JPG, PNG, GIF, WebP, AVIF, TIFF ou HEIC.',
    tooLarge: (size, most) =>
      `Ce fichier fait ${size}. Votre formule accepte des fichiers jusqu’à ${most}. Réduisez sa taille, par exemple en l’enregistrant en JPG, puis réessayez.`,
    tooLargeForProxy: (size) =>
      `Un proxy entre cet appareil et le serveur refuse les fichiers de ${size}. Essayez avec un fichier plus petit.`,
  },
}
