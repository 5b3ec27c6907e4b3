{{- define "terrane.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "terrane.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "terrane.labels" -}}
{{ include "terrane.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "terrane.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* What the server and the migration have in common: who they are, and what they may do. */}}
{{- define "terrane.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: secrets
    secret:
      secretName: {{ .Values.existingSecret }}
      defaultMode: 0440
  - name: data
    emptyDir:
      sizeLimit: 16Mi
{{- end }}

{{- define "terrane.container" -}}
image: {{ include "terrane.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
env:
  - name: DATABASE_URL_FILE
    value: /run/secrets/terrane/database-url
  - name: TERRANE_TOKEN_PEPPER_FILE
    value: /run/secrets/terrane/token-pepper
  - name: TERRANE_ENCRYPTION_KEY_FILE
    value: /run/secrets/terrane/encryption-key
  {{- if .Values.adminTokenFromSecret }}
  - name: TERRANE_ADMIN_TOKEN_FILE
    value: /run/secrets/terrane/admin-token
  {{- end }}
  - name: TERRANE_PUBLIC_URL
    value: {{ .Values.publicUrl | quote }}
  {{- if .Values.metrics.enabled }}
  - name: TERRANE_METRICS_HOST
    value: 0.0.0.0
  - name: TERRANE_METRICS_PORT
    value: {{ .Values.metrics.port | quote }}
  {{- end }}
  {{- range $name, $value := .Values.settings }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
volumeMounts:
  - name: secrets
    mountPath: /run/secrets/terrane
    readOnly: true
  - name: data
    mountPath: /data
{{- end }}
