import type { refusedPhotos as english } from '../en/refused-photos.ts'

export const refusedPhotos: typeof english = {
  // Photos and uploads.
  'This photo does not exist.': 'Cette photo n’existe pas.',
  'Photo not found': 'Photo introuvable',
  'No photos found. Upload your first photo!': 'Aucune photo. Ajoutez la première !',
  'This photo does not exist or is no longer shared.': 'Cette photo n’existe pas ou n’est plus partagée.',
  'This file is not a photo we can read. Please choose a JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC image.':
    'Ce fichier n’est pas une photo que nous pouvons lire. Choisissez une image JPG, PNG, GIF, WebP, AVIF, TIFF ou HEIC.',
  'This file is not a photo we can read. Please upload a JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC image.':
    'Ce fichier n’est pas une photo que nous pouvons lire. Envoyez une image JPG, PNG, GIF, WebP, AVIF, TIFF ou HEIC.',
  'This file is empty. Please choose another one.': 'Ce fichier est vide. Choisissez-en un autre.',
  'This image has more than {} megapixels, which is more than we can process. Please make it smaller and try again.':
    'Cette image compte plus de {0} mégapixels, ce qui dépasse ce que nous pouvons traiter. Réduisez-la et réessayez.',
  'This image has more than {} megapixels, which is more than we can process. Please make it smaller and upload it again.':
    'Cette image compte plus de {0} mégapixels, ce qui dépasse ce que nous pouvons traiter. Réduisez-la et envoyez-la de nouveau.',
  'This file is compressed or coloured in a way that is not supported. Please save it as JPG or PNG and upload it again.':
    'La compression ou les couleurs de ce fichier ne sont pas prises en charge. Enregistrez-le en JPG ou PNG et envoyez-le de nouveau.',
  'This animation is too long or too large. We can process up to {} frames, and {} megapixels over all frames. Please shorten it or make it smaller, and upload it again.':
    'Cette animation est trop longue ou trop grande. Nous pouvons traiter jusqu’à {0} images, soit {1} mégapixels au total. Raccourcissez-la ou réduisez-la, puis envoyez-la de nouveau.',
  "We couldn't add your logo to this photo. Please upload the logo again in Settings, then retry the photo.":
    'Nous n’avons pas pu ajouter votre logo à cette photo. Envoyez de nouveau le logo dans les paramètres, puis réessayez avec la photo.',
  'This SVG contains scripts, links, other files or embedded images. Please save it as a plain SVG or as PNG and upload it again.':
    'Ce SVG contient des scripts, des liens, d’autres fichiers ou des images intégrées. Enregistrez-le en SVG simple ou en PNG et envoyez-le de nouveau.',
  'This SVG could not be rendered: it is damaged or too large for a logo. Please save it again, or as PNG, and upload it again.':
    'Ce SVG n’a pas pu être affiché : il est endommagé ou trop grand pour un logo. Enregistrez-le de nouveau, ou en PNG, et envoyez-le encore une fois.',
  'This photo is damaged or incomplete. Please upload the original file again.':
    'Cette photo est endommagée ou incomplète. Envoyez de nouveau le fichier d’origine.',
  'This photo took too long to process. Please save it again in a photo editor, or make it smaller, and upload it again.':
    'Le traitement de cette photo a pris trop de temps. Enregistrez-la de nouveau dans un logiciel de retouche, ou réduisez-la, puis envoyez-la de nouveau.',
  'This photo needs too much memory to process. Please save it again in a photo editor, or make it smaller, and upload it again.':
    'Le traitement de cette photo demande trop de mémoire. Enregistrez-la de nouveau dans un logiciel de retouche, ou réduisez-la, puis envoyez-la de nouveau.',
  'Something went wrong while processing this photo. Please upload it again.':
    'Un problème est survenu pendant le traitement de cette photo. Envoyez-la de nouveau.',
  'This file is larger than {} MB, the limit of your plan, {}. Reduce its size and try again.':
    'Ce fichier dépasse {0} Mo, la limite de votre formule ({1}). Réduisez-le et réessayez.',
  "Your plan, {}, includes {} photos a month, and you've used them all. The next month starts on the 1st (UTC). Upgrade for more.":
    'Votre formule ({0}) comprend {1} photos par mois, et vous les avez toutes utilisées. Le mois suivant commence le 1er (UTC). Changez de formule pour en avoir plus.',
  "Your plan, {}, includes {} photos a month, and you've used them all. The next month starts on the 1st (UTC). Please contact us if you need more.":
    'Votre formule ({0}) comprend {1} photos par mois, et vous les avez toutes utilisées. Le mois suivant commence le 1er (UTC). Contactez-nous s’il vous en faut plus.',
  'Your plan, {}, includes {} GB of storage, and this photo no longer fits. Delete photos you no longer need. Upgrade for more.':
    'Votre formule ({0}) comprend {1} Go de stockage, et cette photo n’y tient plus. Supprimez les photos dont vous n’avez plus besoin, ou changez de formule.',
  'Your plan, {}, includes {} GB of storage, and this photo no longer fits. Delete photos you no longer need. Please contact us if you need more.':
    'Votre formule ({0}) comprend {1} Go de stockage, et cette photo n’y tient plus. Supprimez les photos dont vous n’avez plus besoin, ou contactez-nous s’il vous en faut plus.',
  'Many of your files that take long to process are waiting. Please upload this one again in a minute. Ordinary JPEG photos are still accepted.':
    'Beaucoup de vos fichiers longs à traiter sont en attente. Envoyez celui-ci de nouveau dans une minute. Les photos JPEG ordinaires restent acceptées.',
  'Today, photos of yours that could not be processed took {} minutes, which is the limit. Please upload this one tomorrow (UTC).':
    'Aujourd’hui, vos photos impossibles à traiter ont pris {0} minutes, ce qui est la limite. Envoyez celle-ci demain (UTC).',
  'Too many uploads at once. Please wait for the others to finish.':
    'Trop d’envois à la fois. Attendez la fin des autres.',
  'Too many changes at once. Please wait for the others to finish.':
    'Trop de modifications à la fois. Attendez la fin des autres.',
  'The upload took too long. Please try again.': 'L’envoi a pris trop de temps. Veuillez réessayer.',
  'The upload was too slow and was cancelled. Please try again on a better connection.':
    'L’envoi était trop lent et a été annulé. Réessayez avec une meilleure connexion.',
  'The connection closed before the upload finished.': 'La connexion a été coupée avant la fin de l’envoi.',
  'This photo was already uploaded and has since been deleted.':
    'Cette photo avait déjà été envoyée, puis a été supprimée.',
  'Only photos whose processing failed can be retried.':
    'Seules les photos dont le traitement a échoué peuvent être relancées.',
  'The uploaded file has been deleted. Please upload it again.':
    'Le fichier envoyé a été supprimé. Envoyez-le de nouveau.',
  'Only a photo of yours that guests can see can be held.':
    'Vous ne pouvez épingler qu’une de vos photos visible par les invités.',
  'Your removed photos do not fit into the storage of your plan. Choose a larger plan, or delete photos you no longer need.':
    'Vos photos supprimées ne tiennent pas dans le stockage de votre formule. Choisissez une formule supérieure, ou supprimez les photos dont vous n’avez plus besoin.',
  'There are no removed photos to put back.': 'Il n’y a pas de photos supprimées à rétablir.',
  // Logo, background and watermark.
  'Your own logo and background are part of {}. Your plan is {}.':
    'Votre logo et votre image de fond font partie des formules Pro. Votre formule : {1}.',
  'This file is not an image we can read. Please choose a {} file.':
    'Ce fichier n’est pas une image que nous pouvons lire. Choisissez un autre fichier ({0}).',
  'This file is larger than 10 MB. Reduce its size and try again.':
    'Ce fichier dépasse 10 Mo. Réduisez-le et réessayez.',
  'This is taking too long right now. Please try again.': 'Cela prend trop de temps en ce moment. Veuillez réessayer.',
  'Something went wrong. Please upload it again.': 'Un problème est survenu. Envoyez-le de nouveau.',
  'There is no {} to delete.': 'Il n’y a rien à supprimer.',
  'Upload a logo first.': 'Envoyez d’abord un logo.',
  'Your photos are already being processed. Wait for that to finish, or stop it.':
    'Vos photos sont déjà en cours de traitement. Attendez la fin, ou arrêtez-le.',
  'There is no logo yet. Upload one to see it on a photo.':
    'Il n’y a pas encore de logo. Envoyez-en un pour le voir sur une photo.',
  'There is no photo yet. Upload one to see your logo on it.':
    'Il n’y a pas encore de photo. Envoyez-en une pour y voir votre logo.',
  'The preview is taking too long right now. Please try again.':
    'L’aperçu prend trop de temps en ce moment. Veuillez réessayer.',
  'This photo no longer exists.': 'Cette photo n’existe plus.',
  'A preview is already in progress. Please wait for it.': 'Un aperçu est déjà en cours. Veuillez l’attendre.',
}
