#!/bin/sh
# Makes the secrets that compose.yaml names, each once: what is there already stays as it is.
set -eu
umask 077
folder=$(dirname "$0")/secrets
mkdir -p "$folder"
keep() {
  [ -s "$folder/$1" ] || printf '%s\n' "$2" > "$folder/$1"
  # The folder keeps others out; inside the container another user reads the file.
  chmod 644 "$folder/$1"
}
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
keep database-password "$(random)"
keep database-url "postgres://terrane:$(cat "$folder/database-password")@postgres:5432/terrane"
keep token-pepper "$(random)"
keep encryption-key "$(random)"
keep admin-token "$(random)"
echo "The secrets are in $folder. Keep token-pepper and encryption-key with your backups: nothing can be read without them."
