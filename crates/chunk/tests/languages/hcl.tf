terraform {
# <- definition.section (body)
  required_version = ">= 1.5"
}

# The region.
variable "region" {
#         ^ definition.constant (doc, body)
  type    = string
  default = "eu-west-1"
}

locals {
# <- definition.section (body)
  name = "shop-${var.region}"
  # <- definition.constant in locals
  # ~ type region
  tags = merge(var.tags, { Name = local.name })
  # <- definition.constant in locals
  # ~ call merge, type tags, type name
}

module "network" {
#       ^ definition.module (body)
  source = "./modules/network"
  # <- import ./modules/network
  cidr   = var.cidr
  # ~ type cidr
}

resource "aws_instance" "web" {
#                        ^ definition.class of aws_instance (body)
# ~ type aws_instance
  ami   = data.aws_ami.ubuntu.id
  # ~ type ubuntu
  count = length(var.zones)
  # ~ call length, type zones

  dynamic "block" {
    for_each = var.blocks
    # ~ type blocks
    content {
      name = block.value
      # ~ type value
    }
  }
}

data "aws_ami" "ubuntu" {
#               ^ definition.class of aws_ami (body)
# ~ type aws_ami
  owners = ["amazon"]
}

output "address" {
#       ^ definition.constant (body)
  value = aws_instance.web.address
  # ~ type aws_instance, type web
}
