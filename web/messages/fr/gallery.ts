import type { gallery as english } from '../en/gallery.ts'

/** The gallery and its viewer. */
export const gallery: typeof english = {
  title: 'Galerie',
  heading: 'Galerie',
  count: (photos, written) => (photos < 2 ? `${written} photo` : `${written} photos, les plus récentes d’abord`),
  upload: 'Ajouter des photos',
  empty: 'Pas encore de photos. Ajoutez-en pour commencer !',
  received: 'Nouvelle photo reçue !',
  tile: (name, taken) => `${name}, ${taken}`,
  processing: (name) => `${name} est en cours de traitement`,
  failed: 'Échec du traitement',
  failedTile: (name) => `${name} : échec du traitement`,
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
  /** Several photos as one ZIP file. */
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
