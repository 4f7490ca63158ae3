import type { upload as english } from '../en/upload.ts'

/** The upload page. */
export const upload: typeof english = {
  title: 'Ajouter des photos',
  heading: 'Ajouter des photos',
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
