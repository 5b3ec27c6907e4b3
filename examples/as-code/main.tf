# Teams, projects and workspaces of one organization as code. docs/as-code.md explains it.
terraform {
  required_providers {
    tfe = {
      source = "hashicorp/tfe"
    }
  }
}

variable "hostname" {
  type        = string
  description = "The Terrane, by name, such as terrane.example.com."
}

variable "organization" {
  type = string
}

# Who may do what where: a team, the projects that are its own, and the workspaces in each.
variable "teams" {
  type = map(object({
    projects = map(list(string))
  }))
  default = {
    platform = { projects = { foundation = ["network", "dns"] } }
    payments = { projects = { payments = ["ledger", "gateway"] } }
  }
}

# The token comes from TFE_TOKEN, or from "terrane login".
provider "tfe" {
  hostname     = var.hostname
  organization = var.organization
}

locals {
  projects = merge([
    for team, given in var.teams : { for project, _ in given.projects : project => team }
  ]...)
  workspaces = merge(flatten([
    for given in var.teams : [
      for project, names in given.projects : { for name in names : name => project }
    ]
  ])...)
}

resource "tfe_team" "each" {
  for_each = var.teams

  name       = each.key
  visibility = "organization"
}

resource "tfe_project" "each" {
  for_each = local.projects

  name = each.key
}

resource "tfe_team_project_access" "owner" {
  for_each = local.projects

  access     = "admin"
  team_id    = tfe_team.each[each.value].id
  project_id = tfe_project.each[each.key].id
}

resource "tfe_workspace" "each" {
  for_each = local.workspaces

  name       = each.key
  project_id = tfe_project.each[each.value].id
  tags = {
    team = local.projects[each.value]
  }
}

output "workspaces" {
  value = { for name, workspace in tfe_workspace.each : name => workspace.id }
}
