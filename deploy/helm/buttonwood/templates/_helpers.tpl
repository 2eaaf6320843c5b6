{{- define "buttonwood.name" -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "buttonwood.selector" -}}
app.kubernetes.io/name: buttonwood
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "buttonwood.labels" -}}
{{ include "buttonwood.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}
