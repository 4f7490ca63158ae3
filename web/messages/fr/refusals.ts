import type * as english from '../en/refusals.ts'

const refusedPhotos: typeof english.refusedPhotos = {
  // Photos and uploads.
  'This code does not exist.': 'Ce code n’existe pas.',
  'An event needs a code of its own. Please replace it with a new one instead.':
    'Un événement a besoin de son propre code. Remplacez-le par un nouveau.',
  'An event has at most {} codes. Please revoke some of those for tables first.':
    'Un événement a au plus {0} codes. Révoquez d’abord quelques codes de tables.',
  'An event has at most {} helpers. Please remove one that has ended first.':
    'Un événement a au plus {0} assistants. Supprimez d’abord un assistant dont l’accès a pris fin.',
  'This contributor does not exist.': 'Cet invité n’existe plus.',
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

export const refusals: typeof english.refusals = {
  general: 'Cela n’a pas fonctionné. Veuillez réessayer.',
  sentences: {
    ...refusedPhotos,
    // Accounts.
    'Please enter a valid email address': 'Veuillez indiquer une adresse e-mail valide',
    'This is already your address': 'C’est déjà votre adresse',
    'This email is already registered.': 'Un compte existe déjà avec cette adresse e-mail.',
    'Password must be at most {} characters long': 'Le mot de passe doit compter au plus {0} caractères',
    'Password must be at least 8 characters long': 'Le mot de passe doit compter au moins 8 caractères',
    'Password must contain at least one uppercase letter': 'Le mot de passe doit contenir au moins une majuscule',
    'Password must contain at least one lowercase letter': 'Le mot de passe doit contenir au moins une minuscule',
    'Password must contain at least one number': 'Le mot de passe doit contenir au moins un chiffre',
    'Password must contain at least one special character':
      'Le mot de passe doit contenir au moins un caractère spécial',
    'Please confirm your email address first. The link is in the email we sent you.':
      'Confirmez d’abord votre adresse e-mail. Le lien se trouve dans l’e-mail que nous vous avons envoyé.',
    'Many people use this password. Choose one that others do not use.':
      'Beaucoup de gens utilisent ce mot de passe. Choisissez-en un que les autres n’utilisent pas.',
    'Too many attempts for this account. Please wait {} {} and try again.':
      'Trop de tentatives pour ce compte. Veuillez patienter {0} s puis réessayer.',
    'Too many requests. Please wait {} {} and try again.': 'Trop de demandes. Veuillez patienter {0} s puis réessayer.',
    'Several emails have already been sent to this address. Please try again in an hour.':
      'Plusieurs e-mails ont déjà été envoyés à cette adresse. Veuillez réessayer dans une heure.',
    'Several test emails have been sent already. Please try again in an hour.':
      'Plusieurs e-mails de test ont déjà été envoyés. Veuillez réessayer dans une heure.',
    'Your email address is already confirmed.': 'Votre adresse e-mail est déjà confirmée.',
    'Invalid or expired reset token. Please request a new password reset link.':
      'Ce lien n’est pas valide ou a expiré. Veuillez en demander un nouveau pour changer de mot de passe.',
    'This link has expired or has already been used. Sign in and ask for a new one in Settings.':
      'Ce lien a expiré ou a déjà été utilisé. Connectez-vous et demandez-en un nouveau dans les paramètres.',
    'Too many sign-ins right now. Please try again.': 'Trop de connexions en ce moment. Veuillez réessayer.',
    'This is not your current password.': 'Ce n’est pas votre mot de passe actuel.',
    'Invalid email or password.': 'E-mail ou mot de passe incorrect.',
    'Please give a time zone such as Europe/Brussels': 'Choisissez un fuseau horaire, par exemple Europe/Brussels',
    'This session does not exist.': 'Cet appareil est déjà déconnecté.',
    'Your password was just changed on another device. Please sign in again.':
      'Votre mot de passe vient d’être changé sur un autre appareil. Veuillez vous reconnecter.',
    'Please sign in.': 'Veuillez vous connecter.',
    'Please enter a name': 'Veuillez saisir un nom',
    'Please enter a name for your API key': 'Donnez un nom à votre clé d’API',
    'Please use at most {} characters': 'Utilisez au plus {0} caractères',
    'The name contains line breaks or invisible characters. Please type it again':
      'Le nom contient des retours à la ligne ou des caractères invisibles. Saisissez-le à nouveau',
    'The name cannot contain a link or an email address. Put a space after a dot':
      'Le nom ne peut contenir ni lien ni adresse e-mail. Ajoutez un espace après un point',
    'This photo was hidden from guests by the operator of this site. Please write to support if you think that this is a mistake.':
      'Cette photo a été masquée aux invités par l’exploitant de ce site. Si vous pensez qu’il s’agit d’une erreur, contactez l’assistance.',
    // Requests of guests.
    'Unable to load photo details. The photo may not exist or may be private.':
      'Impossible de charger la photo. Elle n’existe peut-être plus ou est privée.',
    'Too many requests from your network today. Please try again later.':
      'Trop de demandes depuis votre réseau aujourd’hui. Veuillez réessayer plus tard.',
    'Too many people are requesting photos right now. Please try again later.':
      'Trop de personnes demandent des photos en ce moment. Veuillez réessayer plus tard.',
    'The photos of this event are not open.': 'Les photos de cet événement ne sont pas visibles.',
    'The photos are open already. Reload the page to see them.':
      'Les photos sont déjà visibles. Rechargez la page pour les voir.',
    'These photos cannot be downloaded together, or not any more.':
      'Ces photos ne peuvent pas ou plus être téléchargées ensemble.',
    "Email isn't set up here. Please ask the person who took the photo.":
      'L’e-mail n’est pas configuré ici. Adressez-vous à la personne qui a pris la photo.',
    'Please enter your email address': 'Veuillez indiquer votre adresse e-mail',
    'Enter a full address, such as name@example.com': 'Indiquez une adresse complète, par exemple nom@example.com',
    'The address is missing its ending, such as .com': 'Il manque la fin de l’adresse, par exemple .com',
    'Please enter one address only': 'Indiquez une seule adresse',
    'The address contains a space': 'L’adresse contient un espace',
    "The address contains characters that aren't allowed": 'L’adresse contient des caractères non autorisés',
    'The address is too long': 'L’adresse est trop longue',
    "This doesn't look like an email address": 'Cela ne ressemble pas à une adresse e-mail',
    'Too many people are opening pages right now. Please try again in a moment.':
      'Trop de personnes ouvrent des pages en ce moment. Veuillez réessayer dans un instant.',
    'Too many messages from your network today. Please try again tomorrow.':
      'Trop de messages depuis votre réseau aujourd’hui. Veuillez réessayer demain.',
    'Too many people are writing to us right now. Please try again later.':
      'Trop de personnes nous écrivent en ce moment. Veuillez réessayer plus tard.',
    'Too many withdrawals have come from your network today. Please write to {} instead: a withdrawal by email counts as well.':
      'Trop de rétractations ont été faites aujourd’hui depuis votre réseau. Écrivez plutôt à {0} : une rétractation par e-mail compte aussi.',
    'Too many withdrawals have been made with this address today. Please write to {} instead: a withdrawal by email counts as well.':
      'Trop de rétractations ont été faites aujourd’hui avec cette adresse. Écrivez plutôt à {0} : une rétractation par e-mail compte aussi.',
    'Too many withdrawals are arriving right now. Please write to {} instead: a withdrawal by email counts as well.':
      'Trop de rétractations arrivent en ce moment. Écrivez plutôt à {0} : une rétractation par e-mail compte aussi.',
    // Plans and payments.
    'You already pay for a plan. Use POST /subscriptions/change to change to another one.':
      'Vous payez déjà une formule. Changez-la dans les paramètres.',
    'This plan cannot be bought right now. Please try again later.':
      'Cette formule ne peut pas être achetée pour le moment. Veuillez réessayer plus tard.',
    'This plan cannot be bought right now': 'Cette formule ne peut pas être achetée pour le moment',
    'No plan is sold at this price': 'Aucune formule n’est vendue à ce prix',
    'Another checkout was opened at the same time. Please try again.':
      'Un autre paiement a été ouvert en même temps. Veuillez réessayer.',
    'This site does not sell plans.': 'Ce site ne vend pas de formules.',
    'You have not paid anything that could be refunded.': 'Vous n’avez rien payé qui puisse être remboursé.',
    'You have already had a refund. Each account can have one.':
      'Vous avez déjà été remboursé. Ce n’est possible qu’une fois.',
    'Your first payment was more than {} days ago. Cancel your subscription instead.':
      'Votre premier paiement date de plus de {0} jours. Vous pouvez résilier votre abonnement.',
    'Your refund is not complete yet. It will be tried again; you need not do anything.':
      'Votre remboursement n’est pas encore terminé. Nous réessaierons ; vous n’avez rien à faire.',
    'Your plan is complimentary: nothing is charged, so there is nothing to cancel.':
      'Votre formule est offerte : rien n’est facturé, il n’y a donc rien à résilier.',
    'Your plan is complimentary and cannot be changed here. To pay for another plan, choose it on the pricing page.':
      'Votre formule est offerte et ne peut pas être changée ici. Pour en payer une autre, choisissez-la sur la page des tarifs.',
    'Your plan is complimentary: there is no subscription to resume.':
      'Votre formule est offerte : il n’y a pas d’abonnement à reprendre.',
    'You have no subscription to cancel.': 'Vous n’avez pas d’abonnement à résilier.',
    'You have no subscription to change. Choose a plan on the pricing page.':
      'Vous n’avez pas d’abonnement à changer. Choisissez une formule sur la page des tarifs.',
    'You have no subscription to resume. Choose a plan on the pricing page.':
      'Vous n’avez pas d’abonnement à reprendre. Choisissez une formule sur la page des tarifs.',
    'Your subscription has ended already.': 'Votre abonnement est déjà terminé.',
    'Your subscription has ended. Choose a plan on the pricing page.':
      'Votre abonnement est terminé. Choisissez une formule sur la page des tarifs.',
    'You already have {}. Resume it to keep it.': 'Vous avez déjà {0}. Reprenez-le pour le garder.',
    'You already have {}.': 'Vous avez déjà {0}.',
    'Your last payment is missing. Update your card in Settings, then change the plan.':
      'Votre dernier paiement manque. Mettez à jour votre carte dans les paramètres, puis changez de formule.',
    'This site cannot take payments at the moment. Please try again later.':
      'Ce site ne peut pas accepter de paiements pour le moment. Veuillez réessayer plus tard.',
    'Your payment is on its way, which can take some days with this payment method. Your plan starts when it arrives; you need not pay again.':
      'Votre paiement est en cours ; avec ce moyen de paiement, cela peut prendre quelques jours. Votre formule commence dès son arrivée ; inutile de payer à nouveau.',
    'Your payment has failed and nothing was charged. Please choose a plan again.':
      'Votre paiement a échoué et rien n’a été débité. Choisissez de nouveau une formule.',
    'Your payment was disputed at the bank, so it cannot be refunded here.':
      'Votre paiement a été contesté auprès de la banque et ne peut donc pas être remboursé ici.',
    'This checkout does not exist.': 'Ce paiement n’existe pas.',
    'This checkout has not been paid. Finish the payment, or choose a plan again.':
      'Cette commande n’a pas été payée. Terminez le paiement, ou choisissez de nouveau une formule.',
    'This checkout has expired and nothing was charged. Please choose a plan again.':
      'Cette commande a expiré et rien n’a été débité. Choisissez de nouveau une formule.',
    'You already had a plan. Your second payment is being refunded.':
      'Vous aviez déjà une formule. Ce que vous avez payé en double vous est remboursé.',
    'The subscription of this checkout has ended.': 'L’abonnement de cette commande est terminé.',
    'Your payment has arrived, but its plan is unknown here. Please contact the person who runs this site.':
      'Votre paiement est arrivé, mais sa formule est inconnue ici. Contactez l’exploitant de ce site.',
    'Your payment is still being processed. Your plan starts as soon as it has arrived.':
      'Votre paiement est en cours de traitement. Votre formule commence dès qu’il est arrivé.',
    'You have not paid for a plan, so there are no invoices.':
      'Vous n’avez pas payé de formule, il n’y a donc pas de factures.',
    'These payments are a demonstration: there is no card to manage.':
      'Ces paiements sont une démonstration : il n’y a pas de carte à gérer.',
    'Usage analytics come with the Pro plans. Upgrade to see scans and downloads.':
      'Les statistiques font partie des formules Pro. Changez de formule pour voir les scans et les téléchargements.',
    // API keys and webhooks.
    'API access not available with your current subscription': 'Votre formule actuelle ne donne pas accès à l’API',
    'This API key does not exist.': 'Cette clé d’API n’existe pas.',
    'You have {} API keys, the most there can be. Please delete one first.':
      'Vous avez {0} clés d’API, le maximum. Supprimez-en une d’abord.',
    'This webhook does not exist.': 'Ce webhook n’existe pas.',
    'The event of this webhook was deleted. Bring it back, or choose another event.':
      'L’événement de ce webhook a été supprimé. Rétablissez-le ou choisissez un autre événement.',
    'This webhook is switched off. Switch it on first.': 'Ce webhook est désactivé. Activez-le d’abord.',
    'Tests and replays are limited to {} a day. Please try again later.':
      'Les tests et les renvois sont limités à {0} par jour. Veuillez réessayer plus tard.',
    'This delivery does not exist any more.': 'Cet envoi n’existe plus.',
    'This was a test. Send a new one instead.': 'C’était un test. Envoyez-en un nouveau.',
    'You have {} webhooks, the most there can be. Delete one first.':
      'Vous avez {0} webhooks, le maximum. Supprimez-en un d’abord.',
    'Too many deliveries of this webhook wait already. Please try again later.':
      'Trop d’envois de ce webhook sont déjà en attente. Veuillez réessayer plus tard.',
    // Requests of an owner.
    'This request does not exist.': 'Cette demande n’existe pas.',
    'Only failed emails can be resent.': 'Seuls les e-mails en échec peuvent être renvoyés.',
    'This link has expired or a newer export has replaced it. You can export your data again in Settings.':
      'Ce lien a expiré ou un export plus récent l’a remplacé. Vous pouvez exporter vos données de nouveau dans les paramètres.',
    // The program as a whole.
    'The service is busy right now. Please try again.':
      'Le service est très sollicité en ce moment. Veuillez réessayer.',
    'Photos cannot be stored or read right now. Nothing is lost. Please try again shortly.':
      'Les photos ne peuvent être ni enregistrées ni lues en ce moment. Rien n’est perdu. Veuillez réessayer sous peu.',
    'The payment provider cannot be reached right now. Please try again in a minute; nothing is paid twice.':
      'Le prestataire de paiement est injoignable en ce moment. Veuillez réessayer dans une minute ; rien n’est payé deux fois.',
    'This file cannot be read right now. Please try again.':
      'Ce fichier ne peut pas être lu en ce moment. Veuillez réessayer.',
    'This link has expired. Choose the photos in the gallery and download them again.':
      'Ce lien a expiré. Choisissez les photos dans la galerie et téléchargez-les à nouveau.',
    '{} cannot be read. Please leave it out, or try again later.':
      '{0} ne peut pas être lue. Retirez cette photo de la sélection ou réessayez plus tard.',
    'One of these photos no longer exists. Please select them again.':
      'Une de ces photos n’existe plus. Sélectionnez-les à nouveau.',
    '{} of these photos no longer exist. Please select them again.':
      '{0} de ces photos n’existent plus. Sélectionnez-les à nouveau.',
    'This evening has more than 2,000 photos. Please select up to 2,000 of them.':
      'Cette soirée compte plus de 2 000 photos. Sélectionnez-en 2 000 au maximum.',
    'There are no photos of this evening.': 'Il n’y a pas de photos de cette soirée.',
    'None of these photos can be downloaded: they are not ready, have failed or are blocked.':
      'Aucune de ces photos ne peut être téléchargée : elles ne sont pas prêtes, ont échoué ou sont bloquées.',
    'Some of these photos have been deleted or replaced. Please download them again.':
      'Certaines de ces photos ont été supprimées ou remplacées. Téléchargez-les à nouveau.',
    'Several downloads are under way. Please wait until one has ended.':
      'Plusieurs téléchargements sont en cours. Attendez la fin de l’un d’eux.',
    'These photos are being prepared for the download. Please try again in a moment.':
      'Ces photos sont en cours de préparation pour le téléchargement. Veuillez réessayer dans un instant.',
    'There are no photos to download yet.': 'Il n’y a pas encore de photos à télécharger.',
    'This event has more than {} photos. Please select up to {} at a time in the gallery.':
      'Cet événement a plus de {0} photos. Sélectionnez-en au plus {1} à la fois dans la galerie.',
    'This address has a link already. You can send it again.': 'Cette adresse a déjà un lien. Vous pouvez le renvoyer.',
    '{} links to this event work, the most there can be. Please revoke one first.':
      '{0} liens vers cet événement fonctionnent, le maximum. Révoquez-en un d’abord.',
    'This link does not exist or works no longer.': 'Ce lien n’existe pas ou ne fonctionne plus.',
    'You have sent many of these emails today. Please try again tomorrow.':
      'Vous avez envoyé beaucoup de ces e-mails aujourd’hui. Veuillez réessayer demain.',
    'Email is not set up here, so no link can be sent.':
      'L’e-mail n’est pas configuré ici, donc aucun lien ne peut être envoyé.',
    'This form was sent from another website. Please open the page here and send it again.':
      'Ce formulaire a été envoyé depuis un autre site. Veuillez ouvrir la page ici et l’envoyer de nouveau.',
    'Something went wrong on our side. Please try again; if the problem persists, quote this reference: {}':
      'Un problème est survenu de notre côté. Veuillez réessayer ; si le problème persiste, indiquez cette référence : {0}',
    // Why an email was not sent.
    'This person has opted out of photo emails.': 'Cette personne ne souhaite pas recevoir d’e-mails avec des photos.',
    'The photo was hidden from guests before this email was sent.':
      'La photo a été masquée aux invités avant l’envoi de cet e-mail.',
    'The photo could not be processed and cannot be retried.':
      'La photo n’a pas pu être traitée et il n’est pas possible de réessayer.',
    'The photo could not be processed. This email is sent when you have retried the photo and it is ready.':
      'La photo n’a pas pu être traitée. Cet e-mail sera envoyé quand vous aurez réessayé et que la photo sera prête.',
    'This email waits until you confirm your email address. You can resend the confirmation email in Settings.':
      'Cet e-mail attend que vous confirmiez votre adresse. Vous pouvez renvoyer l’e-mail de confirmation dans les paramètres.',
    'Your email address was not confirmed in time.': 'Votre adresse e-mail n’a pas été confirmée à temps.',
    'The content of this email no longer exists.': 'Le contenu de cet e-mail n’existe plus.',
    'Something went wrong on our side while preparing this email.':
      'Un problème est survenu de notre côté pendant la préparation de cet e-mail.',
    'Nothing is sent to addresses that end in .example: they exist only in examples.':
      'Rien n’est envoyé aux adresses qui se terminent par .example : elles n’existent que dans des exemples.',
    'The outbox folder is full. The email waits until there is room.':
      'Le dossier d’envoi est plein. L’e-mail attend qu’il y ait de la place.',
    'The disk is nearly full. The email waits until there is room.':
      'Le disque est presque plein. L’e-mail attend qu’il y ait de la place.',
    'Saved to the outbox folder: no mail server is configured.':
      'Enregistré dans le dossier d’envoi : aucun serveur de messagerie n’est configuré.',
    'The outbox folder cannot be written.': 'Impossible d’écrire dans le dossier d’envoi.',
    'The file was removed from the outbox folder after {} days, to make room.':
      'Le fichier a été retiré du dossier d’envoi après {0} jours, pour faire de la place.',
    'This address does not exist.': 'Cette adresse n’existe pas.',
    'This domain does not accept email.': 'Ce domaine n’accepte pas d’e-mails.',
    'The mailbox is full.': 'La boîte de réception est pleine.',
    'The email is too large for this mailbox.': 'L’e-mail est trop volumineux pour cette boîte de réception.',
    'The receiving server rejected the message.': 'Le serveur destinataire a refusé le message.',
    'The mail server asks to try again later.': 'Le serveur de messagerie demande de réessayer plus tard.',
    'This address has moved.': 'Cette adresse a changé.',
    'The mail server does not accept the sender.': 'Le serveur de messagerie n’accepte pas l’expéditeur.',
    'The mailbox cannot be used.': 'La boîte de réception ne peut pas être utilisée.',
    'The mailbox is disabled.': 'La boîte de réception est désactivée.',
    'The mailbox is busy.': 'La boîte de réception est occupée.',
    'The receiving server does not answer.': 'Le serveur destinataire ne répond pas.',
    'The receiving server did not answer in time.': 'Le serveur destinataire n’a pas répondu à temps.',
    'The receiving server is out of storage.': 'Le serveur destinataire n’a plus d’espace.',
    'The receiving server does not accept email for this address.':
      'Le serveur destinataire n’accepte pas d’e-mails pour cette adresse.',
    'The receiving server does not support this kind of address.':
      'Le serveur destinataire n’accepte pas ce type d’adresse.',
    'The mail server requires authentication.': 'Le serveur de messagerie demande une authentification.',
    'The mail server rejected our login.': 'Le serveur de messagerie a refusé notre connexion.',
    'Could not establish a secure connection to the mail server.':
      'Impossible d’établir une connexion sécurisée avec le serveur de messagerie.',
    'The mail server could not be found.': 'Le serveur de messagerie est introuvable.',
    'The mail server did not answer in time.': 'Le serveur de messagerie n’a pas répondu à temps.',
    'The receiving server asks to wait. The email is tried again.':
      'Le serveur destinataire demande d’attendre. L’envoi sera retenté.',
    'The certificate of the mail server is not trusted.': 'Le certificat du serveur de messagerie n’est pas reconnu.',
    'The certificate of the mail server has expired.': 'Le certificat du serveur de messagerie a expiré.',
    'The certificate of the mail server is not valid yet.':
      'Le certificat du serveur de messagerie n’est pas encore valable.',
    'The certificate of the mail server is for another host name.':
      'Le certificat du serveur de messagerie concerne un autre nom d’hôte.',
    'The mail server could not be reached.': 'Le serveur de messagerie est injoignable.',
    'The connection to the mail server was lost.': 'La connexion au serveur de messagerie a été interrompue.',
    'The mail server could not be reached for {} hours.':
      'Le serveur de messagerie est resté injoignable pendant {0} heures.',
    'The email could not be sent for {} hours. {}': 'L’e-mail n’a pas pu être envoyé pendant {0} heures. {1}',
    'This helper does not exist or was removed.': 'Cet assistant n’existe pas ou a été supprimé.',
    'No other device asks to be used by this helper.': 'Aucun autre appareil ne demande l’accès pour cet assistant.',
    'Another device has asked since. Please ask your helper when, and allow it then.':
      'Un autre appareil a demandé l’accès entre-temps. Demandez à votre assistant à quelle heure, puis autorisez-le.',
    'The link of this helper works no longer. Please add a new helper instead.':
      'Le lien de cet assistant ne fonctionne plus. Ajoutez plutôt un nouvel assistant.',
    'This link is used on another device. Please ask the host to allow this one.':
      'Ce lien est utilisé sur un autre appareil. Demandez à l’hôte d’autoriser celui-ci.',
    'The screens show another event now, so no photo can be held.':
      'Les écrans montrent maintenant un autre événement : aucune photo ne peut être épinglée.',
    'Only a photo of the event that guests can see can be held.':
      'Seule une photo de l’événement que les invités peuvent voir peut être épinglée.',
    'This event does not exist.': 'Cet événement n’existe pas.',
    'This event is archived. Please take it out of the archive first.':
      'Cet événement est archivé. Sortez-le d’abord des archives.',
    'You have {} events, the most there can be. Please delete one first.':
      'Vous avez {0} événements, le maximum possible. Supprimez-en d’abord un.',
    'This event was deleted. Please bring it back first.': 'Cet événement a été supprimé. Récupérez-le d’abord.',
  },
}
